/// Network to one flat automaton without calls and marks.
struct SALGraphBuilder {
    struct Arc {
        var from: Int
        var to: Int
        /// Index of the word; -1 for none.
        var word: Int
        var probability: Double
    }

    private let network: SALNetwork
    private let outgoing: SALOutgoing
    /// Arcs of each rule.
    private let ruleArcs: [[Int]]
    private var arcs: [Arc] = []
    private var stateCount = 0

    init(network: SALNetwork, outgoing: SALOutgoing) {
        self.network = network
        self.outgoing = outgoing
        ruleArcs = network.rules.map { SALGraphBuilder.arcs(from: $0.start, network, outgoing) }
    }

    /// All arcs reachable from a state, those of a state together, states in topological order.
    private static func arcs(from start: Int, _ network: SALNetwork, _ outgoing: SALOutgoing) -> [Int] {
        var order: [Int] = []
        var seen: Set<Int> = [start]
        var stack = [(state: start, next: outgoing.range(start).lowerBound)]
        while let (state, next) = stack.last {
            if next == outgoing.range(state).upperBound {
                order.append(state)
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].next += 1
            let target = network.arcs[outgoing.arcs[next]].to
            if seen.insert(target).inserted { stack.append((target, outgoing.range(target).lowerBound)) }
        }
        return order.reversed().flatMap { outgoing.range($0).map { outgoing.arcs[$0] } }
    }

    /// Arcs of the exact flat automaton before epsilon arcs are merged; saturates.
    var exactSize: Int {
        var sizes: [Int] = []
        for arcs in ruleArcs {
            sizes.append(
                arcs.reduce(0) { sum, arc in
                    guard case .call(let rule) = network.arcs[arc].label else { return SALFacts.sum(sum, 1) }
                    return SALFacts.sum(sum, sizes[rule])
                })
        }
        return sizes.last ?? 0
    }

    mutating func build(maximumArcs: Int) -> SALGraph {
        let exact = exactSize <= maximumArcs
        stateCount = 2
        if exact {
            expand(network.rules.count - 1, from: 0, to: 1, weight: 1)
        } else {
            share()
        }
        var reduction = SALEpsilonReduction(arcs: arcs, stateCount: stateCount, start: 0, final: 1)
        let reduced = reduction.run()
        return SALGraph(
            stateCount: reduction.stateCount, startState: 0, finalState: 1,
            arcs: reduced.map {
                SALGraph.Arc(
                    from: $0.from, to: $0.to, word: $0.word < 0 ? nil : network.words[$0.word],
                    probability: SALNetwork.possible($0.probability))
            }, isExact: exact)
    }

    private mutating func newState() -> Int {
        stateCount += 1
        return stateCount - 1
    }

    /// A copy of a rule between two states. The recursion is as deep as calls nest.
    private mutating func expand(_ rule: Int, from: Int, to: Int, weight: Double) {
        let rules = network.rules[rule]
        var states = [rules.start: from, rules.end: to]
        for index in ruleArcs[rule] {
            let arc = network.arcs[index]
            let begin = states[arc.from] ?? from
            var end = states[arc.to]
            if end == nil {
                end = newState()
                states[arc.to] = end
            }
            guard let end else { continue }
            let probability = arc.from == rules.start ? arc.probability * weight : arc.probability
            switch arc.label {
            case .call(let callee): expand(callee, from: begin, to: end, weight: probability)
            case .word(let word): arcs.append(Arc(from: begin, to: end, word: word, probability: probability))
            case .epsilon: arcs.append(Arc(from: begin, to: end, word: -1, probability: probability))
            }
        }
    }

    /// One copy of every rule. What follows a rule is drawn by how often it is called from where.
    private mutating func share() {
        let offset = stateCount
        stateCount += network.stateCount
        var visits = [Double](repeating: 0, count: network.stateCount)
        var calls = [Double](repeating: 0, count: network.rules.count)
        var returns: [(rule: Int, to: Int, flow: Double)] = []
        let main = network.rules.count - 1
        calls[main] = 1
        for rule in stride(from: main, through: 0, by: -1) where calls[rule] > 0 {
            visits[network.rules[rule].start] = calls[rule]
            for index in ruleArcs[rule] {
                let arc = network.arcs[index]
                let flow = visits[arc.from] * arc.probability
                visits[arc.to] += flow
                var target = arc.to
                var word = -1
                switch arc.label {
                case .epsilon: break
                case .word(let id): word = id
                case .call(let callee):
                    calls[callee] += flow
                    returns.append((callee, arc.to, flow))
                    target = network.rules[callee].start
                }
                arcs.append(Arc(from: offset + arc.from, to: offset + target, word: word, probability: arc.probability))
            }
        }
        for back in returns {
            arcs.append(
                Arc(
                    from: offset + network.rules[back.rule].end, to: offset + back.to, word: -1,
                    probability: back.flow / calls[back.rule]))
        }
        arcs.append(Arc(from: 0, to: offset + network.main.start, word: -1, probability: 1))
        arcs.append(Arc(from: offset + network.main.end, to: 1, word: -1, probability: 1))
    }
}
