/// Semantic checks: variables, intents and entities where they may stand, limits.
///
/// Children have smaller indices than their parents, so one pass over the nodes computes all facts
/// without recursion.
struct SALChecker {
    let syntax: SALSyntax
    private(set) var report: SALReport
    private(set) var facts: [SALFacts] = []
    /// Variable nodes to the root of the definition they stand for.
    private(set) var values: [Int: SALSyntax.NodeID] = [:]
    /// How often each definition, by its root, is used.
    private(set) var useCounts: [SALSyntax.NodeID: Int] = [:]
    /// Number of expansions of all lines.
    private(set) var expansionCount = 0.0
    private(set) var defined: [String: SALSyntax.NodeID] = [:]
    private var allDefinitions: [String: Int] = [:]
    /// Variables that lookups use.
    var usedElsewhere: Set<String> = []
    /// No remarks about how words are written: the author did not write them as what is spoken.
    private var isQuiet = false

    /// Nesting limit including that of variables within variables.
    static let maximumDepth = 100
    /// More items of a permutation than this would take too large a graph.
    static let maximumPermutation = 12
    static let advisedPermutation = 8

    /// Variables that a line above their definition uses.
    private var usedTooEarly: Set<String> = []

    init(syntax: SALSyntax, report: SALReport) {
        self.syntax = syntax
        self.report = report
        facts.reserveCapacity(syntax.nodes.count)
    }

    mutating func check() {
        for case .definition(let name, let offset, _, _) in syntax.statements where allDefinitions[name] == nil {
            allDefinitions[name] = offset
        }
        for statement in syntax.statements {
            switch statement {
            case .definition(let name, let offset, let value, let isOwn):
                isQuiet = !isOwn
                addFacts(upTo: value, definition: name)
                define(name, at: offset, value)
            case .utterance(let offset, let node):
                isQuiet = false
                addFacts(upTo: node, definition: nil)
                expansionCount += facts[node].expansionCount
                checkUtterance(facts[node], at: offset, node: node)
            }
        }
        for case .definition(let name, let offset, let value, true) in syntax.statements
        where useCounts[value] == nil && defined[name] == value && !usedElsewhere.contains(name)
            && !usedTooEarly.contains(name)
        {
            report.add(.note, at: offset, "variable '\(name)' is not used")
        }
    }

    private mutating func define(_ name: String, at offset: Int, _ value: SALSyntax.NodeID) {
        if defined[name] != nil {
            let line = report.source.line(at: allDefinitions[name] ?? offset)
            report.error(
                at: offset, "variable '\(name)' is defined again", hint: "it is defined on line \(line) already")
            return
        }
        defined[name] = value
    }

    private mutating func checkUtterance(_ facts: SALFacts, at offset: Int, node: SALSyntax.NodeID) {
        guard !facts.isBroken else { return }
        if !facts.hasIntent {
            let slashes = report.source.bytes[offset...].starts(with: "//".utf8)
            report.error(
                at: offset, "line does not begin with an intent",
                hint: slashes
                    ? "a comment begins with '#'" : "write '*intent words …', or name the words: name = …")
        } else if facts.canStartWithText {
            report.error(
                at: offset, "some expansions of the line have words before the first intent",
                hint: "every utterance begins with '*intent'")
        } else if facts.canBeEmpty {
            report.error(
                at: offset, "some expansions of the line are empty", hint: "every utterance begins with '*intent'")
        } else if facts.canEndWithIntent {
            // An intent within a variable is shown where it is used.
            reportIntentWithoutText(at: max(offset, facts.lastIntentOffset), always: !facts.canEndWithText)
        }
    }

    private mutating func reportIntentWithoutText(at offset: Int, always: Bool) {
        report.add(
            always ? .error : .warning, at: offset,
            always ? "an intent has no words" : "an intent has no words in some expansions",
            hint: "write the words behind the intent: *greet hello")
    }

    private mutating func addFacts(upTo root: SALSyntax.NodeID, definition: String?) {
        while facts.count <= root {
            facts.append(makeFacts(facts.count, definition: definition))
            if let last = facts.last, last.depth > Self.maximumDepth {
                report.error(
                    at: syntax.nodes[facts.count - 1].offset,
                    "nested deeper than \(Self.maximumDepth) levels, variables included",
                    hint: "use fewer variables within variables")
                facts[facts.count - 1] = .broken
            }
        }
    }

    private mutating func makeFacts(_ id: SALSyntax.NodeID, definition: String?) -> SALFacts {
        let node = syntax.nodes[id]
        switch node.kind {
        case .word(let text):
            return wordFacts(text, at: node.offset)
        case .intent:
            return .intent(at: node.offset)
        case .broken:
            return .broken
        case .range(let first, let last):
            var result = SALFacts.text
            result.size = SALFacts.product(last - first + 1, 3)
            result.expansionCount = Double(last - first + 1)
            return result
        case .anyWord:
            var result = SALFacts.text
            result.expansionCount = 0
            return result
        case .variable(let name):
            return variableFacts(id, name, at: node.offset, definition: definition)
        case .sequence(let elements):
            return sequenceFacts(elements)
        case .choice(let items):
            return choiceFacts(items.filter { $0.weight > 0 }.map(\.node))
        case .optional(let probability, let inner):
            var result = probability > 0 ? facts[inner] : .empty
            if probability < 1 {
                result.canBeEmpty = true
                result.expansionCount += probability > 0 ? 1 : 0
            }
            result.size = SALFacts.sum(result.size, 1)
            result.depth = facts[inner].depth + 1
            return result
        case .permutation(let items):
            return permutationFacts(items, at: node.offset)
        case .entity(let name, let inner):
            return entityFacts(name, inner, at: node.offset)
        }
    }

    private mutating func wordFacts(_ text: String, at offset: Int) -> SALFacts {
        let parts = SALWords.normalized(text)
        if parts.isEmpty { return .empty }
        if !isQuiet, text.utf8.contains(where: Ascii.isDigit) {
            report.add(
                .note, at: offset, "digits in '\(text.prefix(40))'",
                hint: "write numbers as they are spoken: 'twenty five', not '25'")
        }
        var result = SALFacts.text
        result.size = parts.count
        return result
    }

    private mutating func variableFacts(
        _ id: SALSyntax.NodeID, _ name: String, at offset: Int, definition: String?
    ) -> SALFacts {
        let isStandard = name.hasPrefix(SALStandardVariables.prefix)
        let isForeign = isStandard && definition?.hasPrefix(SALStandardVariables.prefix) != true
        if let value = defined[name], !isForeign || SALStandardVariables.names.contains(name) {
            values[id] = value
            useCounts[value, default: 0] += 1
            var result = facts[value]
            result.depth += 1
            return result
        }
        if syntax.brokenNames.contains(name) { return .broken }
        if isStandard {
            let names = SALStandardVariables.names.map { $0.dropFirst(SALStandardVariables.prefix.count) }
            report.error(
                at: offset, "there is no standard variable '$\(name)'",
                hint: "there are " + names.sorted().joined(separator: ", "))
        } else if name == definition {
            report.error(at: offset, "definition of '\(name)' uses itself", hint: "a variable cannot contain itself")
        } else if let later = allDefinitions[name] {
            usedTooEarly.insert(name)
            report.error(
                at: offset, "variable '$\(name)' is used before its definition",
                hint: "it is defined on line \(report.source.line(at: later)): move that line up")
        } else {
            report.error(
                at: offset, "variable '$\(name)' is not defined",
                hint: "define it on a line above: \(name) = [ … ]")
        }
        return .broken
    }

    private mutating func sequenceFacts(_ elements: [SALSyntax.Element]) -> SALFacts {
        var result = SALFacts.empty
        // Where an intent that may still lack words stands, and whether it surely does.
        var pending: (offset: Int, surely: Bool)?
        for (index, element) in elements.enumerated() {
            let next = facts[element.node]
            if element.joined, !isQuiet, !next.isBroken, index > 0,
                SALJoining.joins(elements[index - 1].node, element.node, in: syntax)
            {
                report.add(
                    .note, at: syntax.nodes[element.node].offset, "joined to what stands before it: spoken as one word",
                    hint: "if two words are meant, put a blank between them")
            }
            if let intent = pending, next.canStartWithIntent, !next.isBroken {
                let surely = intent.surely && !next.canStartWithText && !next.canBeEmpty
                reportIntentWithoutText(at: intent.offset, always: surely)
            }
            if result.canBeEmpty {
                result.canStartWithText = result.canStartWithText || next.canStartWithText
                result.canStartWithIntent = result.canStartWithIntent || next.canStartWithIntent
            }
            let offset = syntax.nodes[element.node].offset
            if next.canEndWithIntent { result.lastIntentOffset = max(offset, next.lastIntentOffset) }
            if next.canBeEmpty {
                result.canEndWithText = result.canEndWithText || next.canEndWithText
                result.canEndWithIntent = result.canEndWithIntent || next.canEndWithIntent
                if next.canEndWithIntent, pending == nil {
                    pending = (offset, false)
                } else if let intent = pending, next.canEndWithText || next.canEndWithIntent {
                    pending = (intent.offset, false)
                }
            } else {
                result.canEndWithText = next.canEndWithText
                result.canEndWithIntent = next.canEndWithIntent
                pending = next.canEndWithIntent ? (offset, !next.canEndWithText) : nil
            }
            result.canBeEmpty = result.canBeEmpty && next.canBeEmpty
            result.expansionCount *= next.expansionCount
            result.unite(next)
        }
        return result
    }

    private func choiceFacts(_ items: [SALSyntax.NodeID]) -> SALFacts {
        var result = SALFacts(size: 0, depth: 1, expansionCount: 0)
        for item in items {
            let next = facts[item]
            result.canBeEmpty = result.canBeEmpty || next.canBeEmpty
            result.canStartWithText = result.canStartWithText || next.canStartWithText
            result.canStartWithIntent = result.canStartWithIntent || next.canStartWithIntent
            result.canEndWithText = result.canEndWithText || next.canEndWithText
            if next.canEndWithIntent, !result.canEndWithIntent {
                result.canEndWithIntent = true
                result.lastIntentOffset = next.lastIntentOffset
            }
            result.expansionCount += next.expansionCount
            result.unite(next)
        }
        return result
    }

    private mutating func permutationFacts(_ items: [SALSyntax.NodeID], at offset: Int) -> SALFacts {
        // Any item may come first or last, and what is left out before or after it may be empty.
        var result = choiceFacts(items)
        result.canBeEmpty = items.allSatisfy { facts[$0].canBeEmpty }
        result.expansionCount = items.enumerated().reduce(1.0) {
            $0 * Double($1.offset + 1) * facts[$1.element].expansionCount
        }
        let copies = items.count < 32 ? 1 << max(items.count - 1, 0) : Int.max
        result.size = SALFacts.product(result.size, copies)
        if items.count > Self.maximumPermutation {
            report.error(
                at: offset, "permutation of \(items.count) items: at most \(Self.maximumPermutation)",
                hint: "put some of the items into one, or into a fixed order")
            return .broken
        }
        if items.count > Self.advisedPermutation {
            report.add(
                .warning, at: offset,
                "permutation of \(items.count) items takes a graph of \(1 << items.count) states",
                hint: "people rarely say more than \(Self.advisedPermutation) things in free order")
        }
        return result
    }

    private mutating func entityFacts(_ name: String, _ inner: SALSyntax.NodeID, at offset: Int) -> SALFacts {
        var result = facts[inner]
        guard !result.isBroken else { return result }
        if result.hasEntity || result.hasIntent {
            report.error(
                at: offset, "\(result.hasEntity ? "an entity" : "an intent") within the value of entity '\(name)'",
                hint: "the value is plain words; a variable that already holds entities is used as $name alone")
            return .broken
        }
        if result.canBeEmpty {
            report.add(
                .warning, at: offset, "the value of entity '\(name)' can be empty",
                hint: "put the optional around the entity: {[value](\(name))}")
        }
        result.hasEntity = true
        result.size = SALFacts.sum(result.size, 2)
        result.depth += 1
        return result
    }
}
