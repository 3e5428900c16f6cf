/// Lists, ranges, permutations and optionals.
extension SALParser {
    /// Counts a bracket as open while `body` runs. Nil if the nesting is too deep.
    private mutating func nested<Result>(_ token: SALToken, _ body: (inout SALParser) -> Result) -> Result? {
        guard open.count < Self.maximumDepth else {
            error(
                at: token.start, "nested deeper than \(Self.maximumDepth) levels",
                hint: "give inner parts a name: name = [ … ], and use $name")
            abandoned = true
            return nil
        }
        open.append(token)
        let result = body(&self)
        if !open.isEmpty { open.removeLast() }
        return result
    }

    /// Behind a `[`: a list, a range, or the value of an entity.
    mutating func parseBracket(_ token: SALToken) -> SALSyntax.NodeID? {
        if let range = scanner.scanRange() {
            return parseEntityName(around: makeRange(range, at: token.start), at: token.start)
        }
        guard let items = parseItems(token), !abandoned else { return nil }
        let list = items.isEmpty ? nil : syntax.add(.choice(items.map(\.item)), at: token.start)
        if list == nil, scanner.nextByte != Ascii.openParenthesis {
            warn(at: token.start, "empty list", hint: "remove it, or give it items")
        }
        if !items.isEmpty, items.allSatisfy({ $0.item.weight == 0 }) {
            error(at: token.start, "all weights of the list are zero", hint: "give at least one item a weight above 0")
        }
        return parseEntityName(around: list, at: token.start)
    }

    private mutating func makeRange(
        _ range: (first: Range<Int>, last: Range<Int>), at offset: Int
    ) -> SALSyntax.NodeID {
        guard let first = Int(text(range.first)), let last = Int(text(range.last)),
            first.magnitude <= SALNumbers.maximum, last.magnitude <= SALNumbers.maximum
        else {
            error(
                at: range.first.lowerBound, "number out of bounds in a range",
                hint: "numbers from -\(SALNumbers.maximum) to \(SALNumbers.maximum) can be spoken")
            return syntax.add(.broken, at: offset)
        }
        guard first <= last else {
            error(
                at: range.first.lowerBound, "range runs backwards: \(first)..\(last)",
                hint: "write the smaller number first: [\(last)..\(first)]")
            return syntax.add(.broken, at: offset)
        }
        guard last - first < SALNumbers.maximumRange else {
            error(
                at: range.first.lowerBound, "range of \(last - first + 1) numbers is too long",
                hint: "at most \(SALNumbers.maximumRange) numbers")
            return syntax.add(.broken, at: offset)
        }
        return syntax.add(.range(first, last), at: offset)
    }

    /// Behind a `![`: the items in any order.
    mutating func parsePermutation(at offset: Int) -> SALSyntax.NodeID? {
        let bracket = scanner.next()
        guard let items = parseItems(bracket), !abandoned else { return nil }
        for case let (_, weight?) in items {
            error(
                at: weight, "weight on an item of a permutation",
                hint: "every item is used once; for a part that may be missing write {0.5: …}")
        }
        if scanner.nextByte == Ascii.openParenthesis {
            error(at: offset, "a permutation cannot be an entity", hint: "make its items entities: ![[a](x) | [b](y)]")
            let broken = syntax.add(.broken, at: offset)
            return parseEntityName(around: broken, at: offset)
        }
        if items.isEmpty {
            warn(at: offset, "empty permutation", hint: "remove it, or give it items")
            return nil
        }
        return syntax.add(.permutation(items.map(\.item.node)), at: offset)
    }

    /// Items up to the `]`, which is consumed. `|` and newlines both separate; side by side they count once.
    private mutating func parseItems(_ token: SALToken) -> [(item: SALSyntax.Item, weight: Int?)]? {
        nested(token) { parser in
            var items: [(item: SALSyntax.Item, weight: Int?)] = []
            // What stood before the place: two `|` in a row enclose an empty item, a newline does not.
            var before = token
            while !parser.abandoned {
                let weight = parser.scanner.scanWeight()
                let node = parser.parseSequence()
                if parser.abandoned { break }
                let end = parser.scanner.next()
                if let node {
                    let value = weight.map { parser.weight($0, optional: false) } ?? 1
                    items.append((SALSyntax.Item(weight: value, node: node), weight?.lowerBound))
                } else if let weight {
                    parser.warn(at: weight.lowerBound, "weight without an item", hint: "write '3: words'")
                } else if end.kind == .bar && before.kind != .newline
                    || end.kind == .closeBracket && before.kind == .bar
                {
                    parser.warn(
                        at: end.start, "empty item in a list",
                        hint: "remove the '|', or write {…} for a part that may be missing")
                }
                switch end.kind {
                case .bar:
                    before = end
                case .newline:
                    before = end
                    if parser.statementBegins() {
                        parser.reportUnclosed(token)
                        parser.abandoned = true
                        parser.resumesHere = true
                    }
                case .closeBracket:
                    return items
                case .end:
                    parser.reportUnclosed(token)
                    parser.abandoned = true
                default:
                    parser.scanner.move(to: end.start)
                    parser.reportUnclosed(token)
                    return items
                }
            }
            return []
        }
    }

    /// Whether a definition begins here, which within a list means that its `]` was forgotten.
    private func statementBegins() -> Bool {
        var copy = scanner
        return copy.scanDefinition() != nil
    }

    private mutating func reportUnclosed(_ token: SALToken) {
        error(at: token.start, "'[' is not closed", hint: "add the missing ']'")
    }

    /// Behind a `{`.
    mutating func parseOptional(_ token: SALToken) -> SALSyntax.NodeID? {
        let parsed: (weight: Double, node: SALSyntax.NodeID?)? = nested(token) { parser in
            let weight = parser.scanner.scanWeight().map { parser.weight($0, optional: true) } ?? 0.5
            let node = parser.parseSequence()
            guard !parser.abandoned else { return (weight, nil) }
            let end = parser.scanner.peek()
            if end.kind == .closeBrace {
                _ = parser.scanner.next()
                if node == nil {
                    parser.warn(at: token.start, "empty optional", hint: "remove it, or give it words")
                }
            } else {
                parser.error(at: token.start, "'{' is not closed", hint: "add the missing '}' on the same line")
                parser.abandoned = end.kind == .end
            }
            return (weight, node)
        }
        guard let parsed, let node = parsed.node else { return nil }
        if scanner.nextByte == Ascii.openParenthesis {
            error(at: token.start, "an optional cannot be an entity", hint: "write {[value](name)}")
            let broken = syntax.add(.broken, at: token.start)
            return parseEntityName(around: broken, at: token.start)
        }
        return syntax.add(.optional(probability: parsed.weight, node), at: token.start)
    }

    private mutating func weight(_ range: Range<Int>, optional: Bool) -> Double {
        let bytes = report.source.bytes[range]
        let wellFormed = bytes.first != Ascii.dot && bytes.last != Ascii.dot && bytes.count { $0 == Ascii.dot } <= 1
        guard wellFormed, let value = Double(text(range)), value.isFinite else {
            error(at: range.lowerBound, "'\(shown(range))' is not a number", hint: "a weight is written as 3 or 0.25")
            return 1
        }
        if value < 0 {
            error(at: range.lowerBound, "negative weight", hint: "weights are 0 or more")
            return 1
        }
        if optional, value > 1 {
            error(
                at: range.lowerBound, "probability of an optional above 1",
                hint: "the weight of an optional is the probability, 0 to 1, that it is present")
            return 1
        }
        if !optional, value > 1e9 {
            error(at: range.lowerBound, "weight above 1000000000", hint: "weights are relative: divide all of them")
            return 1
        }
        return value
    }
}
