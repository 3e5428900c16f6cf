/// Syntax tree to network.
struct SALNetworkBuilder {
    private let syntax: SALSyntax
    private let facts: [SALFacts]
    private let values: [Int: SALSyntax.NodeID]
    private let useCounts: [SALSyntax.NodeID: Int]
    private(set) var network = SALNetwork()
    private var words = SALNames()
    private var displays = SALNames()
    private var intents = SALNames()
    private var entities = SALNames()
    private var rules: [SALSyntax.NodeID: Int] = [:]
    /// Steps done. Counted apart from arcs because some nodes make none.
    private var work = 0
    private let maximumWork: Int

    /// Parts smaller than this are copied rather than called.
    static let smallestRule = 6

    /// `maximumWork`: steps after which building stops.
    init(checked: SALChecker, maximumWork: Int) {
        self.maximumWork = maximumWork
        syntax = checked.syntax
        facts = checked.facts
        values = checked.values
        useCounts = checked.useCounts
    }

    /// Byte offset of parts without a blank between them that have too many expansions.
    private(set) var overfullJoin: Int?

    private var isOverfull: Bool { work > maximumWork || overfullJoin != nil }

    /// Builds the network. Returns the byte offset of the line that made it too large, if one did.
    mutating func build() -> Int? {
        var lines: [(offset: Int, node: SALSyntax.NodeID)] = []
        for case .utterance(let offset, let node) in syntax.statements { lines.append((offset, node)) }
        let start = newState()
        let end = newState()
        for line in lines {
            _ = emit(line.node, from: start, to: end, weight: 1 / Double(lines.count), copied: false)
            if isOverfull { return line.offset }
        }
        network.rules.append(SALNetwork.Rule(start: start, end: end))
        network.words = words.all
        network.displays = displays.all
        network.intents = intents.all
        network.entities = entities.all
        return nil
    }

    private mutating func newState() -> Int {
        network.stateCount += 1
        return network.stateCount - 1
    }

    private mutating func add(_ arc: SALNetwork.Arc) {
        work += 1
        var arc = arc
        arc.probability = SALNetwork.possible(arc.probability)
        network.arcs.append(arc)
    }

    /// An arc without a word; none at all where it would change nothing.
    private mutating func link(_ from: Int, _ to: Int?, weight: Double, mark: SALMark = .none) -> Int {
        if to == nil, weight == 1, mark == .none { return from }
        let end = to ?? newState()
        add(SALNetwork.Arc(from: from, to: end, label: .epsilon, mark: mark, probability: weight))
        return end
    }

    /// Adds the paths of a node from a state, to a given state or one of its choice, which is returned.
    /// `weight` is the probability to enter it. `copied`: other copies of the node exist or may.
    private mutating func emit(
        _ node: SALSyntax.NodeID, from: Int, to: Int?, weight: Double, copied: Bool
    ) -> Int {
        work += 1
        guard !isOverfull else { return to ?? from }
        if copied, facts[node].size >= Self.smallestRule, !facts[node].canBeEmpty {
            let end = to ?? newState()
            let rule = rule(for: node)
            add(SALNetwork.Arc(from: from, to: end, label: .call(rule), probability: weight))
            return end
        }
        return emitInline(node, from: from, to: to, weight: weight, copied: copied)
    }

    private mutating func rule(for node: SALSyntax.NodeID) -> Int {
        // A variable and its value are the same rule.
        if let value = values[node] { return rule(for: value) }
        if let known = rules[node] { return known }
        let start = newState()
        let end = newState()
        _ = emitInline(node, from: start, to: end, weight: 1, copied: false)
        network.rules.append(SALNetwork.Rule(start: start, end: end))
        rules[node] = network.rules.count - 1
        return network.rules.count - 1
    }

    private mutating func emitInline(
        _ node: SALSyntax.NodeID, from: Int, to: Int?, weight: Double, copied: Bool
    ) -> Int {
        switch syntax.nodes[node].kind {
        case .word(let text):
            return emitWord(text, from: from, to: to, weight: weight)
        case .sequence(let elements):
            return emitSequence(elements, from: from, to: to, weight: weight, copied: copied)
        case .choice(let items):
            // The arcs' probabilities sum to 1 without the openings.
            let sum = items.reduce(0) { isOpening($1.node) ? $0 : $0 + $1.weight }
            let end = items.count == 1 ? to : to ?? newState()
            var state = from
            for item in items where item.weight > 0 {
                state = emit(item.node, from: from, to: end, weight: weight * item.weight / sum, copied: copied)
            }
            return end ?? state
        case .range(let first, let last):
            let end = to ?? newState()
            let share = weight / Double(last - first + 1)
            for number in first...last {
                emitWords(SALNumbers.spoken(number), from: from, to: end, weight: share)
            }
            return end
        case .optional(let probability, let inner):
            let end = to ?? newState()
            if probability > 0 {
                _ = emit(inner, from: from, to: end, weight: weight * probability, copied: copied)
            }
            if probability < 1 { _ = link(from, end, weight: weight * (1 - probability)) }
            return end
        case .entity(let name, let inner):
            let index = entities.index(of: name)
            let begin = link(from, nil, weight: weight, mark: .openEntity(index))
            let end = emit(inner, from: begin, to: nil, weight: 1, copied: copied)
            return link(end, to, weight: 1, mark: .closeEntity(index))
        case .intent(let name):
            return link(from, to, weight: weight, mark: .intent(intents.index(of: name)))
        case .variable:
            guard let value = values[node] else { return link(from, to, weight: weight) }
            return emit(value, from: from, to: to, weight: weight, copied: copied || (useCounts[value] ?? 0) > 1)
        case .permutation(let items):
            return emitPermutation(items, from: from, to: to, weight: weight)
        case .anyWord:
            let end = to ?? newState()
            network.openings.append(SALNetwork.Opening(from: from, to: end, probability: weight))
            return end
        case .broken:
            return link(from, to, weight: weight)
        }
    }

    private func isOpening(_ node: SALSyntax.NodeID) -> Bool {
        if case .anyWord = syntax.nodes[node].kind { return true }
        return false
    }

    private mutating func emitSequence(
        _ elements: [SALSyntax.Element], from: Int, to: Int?, weight: Double, copied: Bool
    ) -> Int {
        let runs = SALJoining.runs(elements, in: syntax)
        var state = from
        for (index, run) in runs.enumerated() {
            let end = index == runs.count - 1 ? to : nil
            let weight = index == 0 ? weight : 1
            if run.count == 1, let element = run.first {
                state = emit(element.node, from: state, to: end, weight: weight, copied: copied)
            } else {
                state = emitJoined(run, from: state, to: end, weight: weight)
            }
        }
        return state
    }

    private mutating func emitJoined(
        _ run: ArraySlice<SALSyntax.Element>, from: Int, to: Int?, weight: Double
    ) -> Int {
        let end = to ?? newState()
        var (intents, entities) = (intents, entities)
        let joining = SALJoining(
            syntax: syntax, values: values, intent: { intents.index(of: $0) }, entity: { entities.index(of: $0) })
        guard let expansions = joining.expand(run: run) else {
            if let first = run.first { overfullJoin = overfullJoin ?? syntax.nodes[first.node].offset }
            return end
        }
        (self.intents, self.entities) = (intents, entities)
        for expansion in expansions {
            var state = from
            var factor = weight * expansion.weight
            for piece in expansion.pieces {
                switch piece {
                case .word(let text): state = emitWord(text, from: state, to: nil, weight: factor)
                case .mark(let mark): state = link(state, nil, weight: factor, mark: mark)
                }
                factor = 1
            }
            _ = link(state, end, weight: factor)
        }
        return end
    }

    private mutating func emitWord(_ text: String, from: Int, to: Int?, weight: Double) -> Int {
        let parts = SALWords.normalized(text)
        guard let last = parts.last else { return link(from, to, weight: weight) }
        var state = from
        for (index, part) in parts.dropLast().enumerated() {
            let next = newState()
            addWord(part, shown: part + "-", from: state, to: next, weight: index == 0 ? weight : 1)
            state = next
        }
        let end = to ?? newState()
        addWord(
            last, shown: parts.count == 1 ? text : last, from: state, to: end, weight: parts.count == 1 ? weight : 1)
        return end
    }

    private mutating func emitWords(_ parts: [String], from: Int, to: Int, weight: Double) {
        var state = from
        for (index, part) in parts.enumerated() {
            let next = index == parts.count - 1 ? to : newState()
            addWord(part, shown: part, from: state, to: next, weight: index == 0 ? weight : 1)
            state = next
        }
    }

    private mutating func addWord(_ word: String, shown: String, from: Int, to: Int, weight: Double) {
        add(
            SALNetwork.Arc(
                from: from, to: to, label: .word(words.index(of: word)), display: displays.index(of: shown),
                probability: weight))
    }

    /// States are the sets of items said so far. An item that is one optional counts as said only when
    /// present: k said items come in each of their k! orders alike, whatever is left out.
    private mutating func emitPermutation(
        _ items: [SALSyntax.NodeID], from: Int, to: Int?, weight: Double
    ) -> Int {
        let end = to ?? newState()
        let parts = items.map(optionalPart)
        let lattice = SALPermutation(presence: parts.map(\.probability))
        var states = [Int](repeating: -1, count: lattice.subsetCount)
        states[0] = from
        for subset in 0..<lattice.subsetCount where states[subset] >= 0 && subset != lattice.subsetCount - 1 {
            let entry = subset == 0 ? weight : 1
            for (index, part) in parts.enumerated() where subset & (1 << index) == 0 {
                let probability = lattice.probability(of: index, after: subset)
                guard probability > 0 else { continue }
                let next = subset | (1 << index)
                if states[next] < 0 { states[next] = next == lattice.subsetCount - 1 ? end : newState() }
                _ = emit(part.node, from: states[subset], to: states[next], weight: entry * probability, copied: true)
            }
            let stop = lattice.stopProbability(after: subset)
            if stop > 0 { _ = link(states[subset], end, weight: entry * stop) }
        }
        return end
    }

    /// An item as what is said and how probably: looks through names and groups of one.
    private func optionalPart(_ item: SALSyntax.NodeID) -> (probability: Double, node: SALSyntax.NodeID) {
        var node = item
        while true {
            switch syntax.nodes[node].kind {
            case .variable:
                guard let value = values[node] else { return (1, item) }
                node = value
            case .choice(let items) where items.count == 1:
                node = items[0].node
            case .optional(let probability, let inner) where !facts[inner].canBeEmpty:
                return (probability, inner)
            default:
                return (1, item)
            }
        }
    }
}

/// Names with indices in the order of first use.
struct SALNames {
    private(set) var all: [String] = []
    private var indices: [String: Int] = [:]

    mutating func index(of name: String) -> Int {
        if let known = indices[name] { return known }
        indices[name] = all.count
        all.append(name)
        return all.count - 1
    }
}
