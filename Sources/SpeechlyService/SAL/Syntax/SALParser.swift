/// Tokens to syntax tree. Goes on after an error, so that one run finds all of them; its recursion is
/// bounded by `maximumDepth`.
struct SALParser {
    private(set) var report: SALReport
    var syntax = SALSyntax()
    var scanner: SALScanner
    /// Brackets open around the current place, innermost last.
    var open: [SALToken] = []
    /// Set when the rest of the line cannot be made sense of: every level returns at once.
    var abandoned = false
    /// With `abandoned`: a new statement begins at the current place.
    var resumesHere = false

    /// Deeper nesting than this is refused.
    static let maximumDepth = 64

    /// Whether names with the prefix of the standard variables may be defined.
    private var definesStandardVariables = false

    init(source: SALSource) {
        self.init(report: SALReport(source: source))
    }

    init(report: SALReport) {
        self.report = report
        scanner = SALScanner(source: report.source, range: 0..<0)
    }

    mutating func error(at offset: Int, _ message: String, hint: String? = nil) {
        report.error(at: offset, message, hint: hint)
    }

    mutating func warn(at offset: Int, _ message: String, hint: String? = nil) {
        report.add(.warning, at: offset, message, hint: hint)
    }

    func text(_ range: Range<Int>) -> String { report.source.text(range) }

    /// Parses lines: utterances and definitions.
    mutating func parse(_ range: Range<Int>, definesStandardVariables: Bool = false) {
        scanner = SALScanner(source: report.source, range: range)
        self.definesStandardVariables = definesStandardVariables
        while true {
            let token = scanner.peek()
            switch token.kind {
            case .end: return
            case .newline: _ = scanner.next()
            default: parseStatement(at: token.start)
            }
        }
    }

    private mutating func parseStatement(at offset: Int) {
        open.removeAll()
        abandoned = false
        resumesHere = false
        if let range = scanner.scanDefinition() {
            let value = parseSequence()
            guard !abandoned else {
                syntax.brokenNames.insert(text(range))
                return resume()
            }
            guard checkVariableName(range) else { return }
            guard let value else {
                syntax.brokenNames.insert(text(range))
                return error(
                    at: range.lowerBound, "nothing behind '\(text(range)) ='",
                    hint: "give the variable a value, or remove the line")
            }
            syntax.statements.append(
                .definition(
                    name: text(range), offset: range.lowerBound, value: value, isOwn: !definesStandardVariables))
            return
        }
        let value = parseSequence()
        guard !abandoned else { return resume() }
        if let value { syntax.statements.append(.utterance(offset: offset, value)) }
    }

    private mutating func resume() {
        if !resumesHere { scanner.skipLine() }
    }

    private mutating func checkVariableName(_ range: Range<Int>) -> Bool {
        var bytes = report.source.bytes[range]
        if definesStandardVariables { bytes = bytes.dropFirst("SPEECHLY.".utf8.count) }
        if let first = bytes.first, Ascii.isLetter(first) || first == Ascii.underscore,
            bytes.allSatisfy(Ascii.isName), bytes.last != Ascii.hyphen
        {
            return true
        }
        error(
            at: range.lowerBound, "bad variable name '\(shown(range))'",
            hint: "a name begins with a letter or '_' and holds letters, digits, '_' and '-'")
        return false
    }

    /// Defines a variable as a list of which each item has a text of its own; nil for an item without words.
    mutating func define(_ name: String, at offset: Int, items: [Range<Int>], isPlain: Bool) -> [SALSyntax.NodeID?] {
        let nodes = items.map { isPlain ? parsePlain($0) : parseItem($0) }
        let choice = syntax.add(
            .choice(nodes.compactMap { $0.map { SALSyntax.Item(weight: 1, node: $0) } }), at: offset)
        if nodes.contains(where: { $0 != nil }) {
            syntax.statements.append(.definition(name: name, offset: offset, value: choice, isOwn: !isPlain))
        } else {
            syntax.brokenNames.insert(name)
        }
        return nodes
    }

    private mutating func parseItem(_ range: Range<Int>) -> SALSyntax.NodeID? {
        scanner = SALScanner(source: report.source, range: range, allowsComments: false)
        open.removeAll()
        abandoned = false
        resumesHere = false
        return parseSequence()
    }

    /// A text of which no character has a meaning.
    private mutating func parsePlain(_ range: Range<Int>) -> SALSyntax.NodeID? {
        let words = text(range).split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return nil }
        let elements = words.map {
            SALSyntax.Element(node: syntax.add(.word(String($0)), at: range.lowerBound), joined: false)
        }
        return syntax.add(.sequence(elements), at: range.lowerBound)
    }

    /// A name or text for a message, shortened.
    func shown(_ range: Range<Int>) -> String {
        let text = text(range)
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    /// Elements up to what ends them here: a separator or the closing bracket of the list around, the
    /// closing brace of the optional around, or the end of the line. Nil if there are none.
    mutating func parseSequence() -> SALSyntax.NodeID? {
        var elements: [SALSyntax.Element] = []
        let begin = scanner.peek().start
        while !abandoned {
            let token = scanner.peek()
            guard let node = parseElement(token) else {
                if sequenceEnds(at: token) { break }
                continue
            }
            elements.append(SALSyntax.Element(node: node, joined: !token.spaceBefore && !elements.isEmpty))
        }
        if elements.count == 1, let element = elements.first { return element.node }
        return elements.isEmpty ? nil : syntax.add(.sequence(elements), at: begin)
    }

    /// Parses one element if the token begins one. Nil without moving if it does not; nil after moving if
    /// the element is empty or wrong.
    private mutating func parseElement(_ token: SALToken) -> SALSyntax.NodeID? {
        switch token.kind {
        case .word:
            _ = scanner.next()
            return syntax.add(.word(text(token.start..<token.end)), at: token.start)
        case .star:
            _ = scanner.next()
            return parseIntent(at: token.start)
        case .dollar:
            _ = scanner.next()
            return parseVariable(at: token.start)
        case .openBracket:
            _ = scanner.next()
            return parseBracket(token)
        case .bang:
            _ = scanner.next()
            return parsePermutation(at: token.start)
        case .openBrace:
            _ = scanner.next()
            return parseOptional(token)
        case .openParenthesis:
            _ = scanner.next()
            error(
                at: token.start, "'(' without a value before it",
                hint: "an entity is [value](name) or $variable(name), without a blank before the '('")
            skipParenthesis()
            return syntax.add(.broken, at: token.start)
        case .closeParenthesis:
            _ = scanner.next()
            error(at: token.start, "')' without '('")
            return nil
        case .end, .newline, .closeBracket, .closeBrace, .bar:
            return nil
        }
    }

    /// Whether a sequence ends before the token; consumes and reports tokens that do not belong here.
    private mutating func sequenceEnds(at token: SALToken) -> Bool {
        let innermost = open.last?.kind
        switch token.kind {
        case .end, .newline:
            return true
        case .bar:
            if innermost == .openBracket { return true }
            _ = scanner.next()
            error(at: token.start, "'|' outside of a list", hint: "write alternatives in brackets: [one | another]")
        case .closeBracket:
            if open.contains(where: { $0.kind == .openBracket }) { return true }
            _ = scanner.next()
            error(at: token.start, "']' without '['")
        case .closeBrace:
            if open.contains(where: { $0.kind == .openBrace }) { return true }
            _ = scanner.next()
            error(at: token.start, "'}' without '{'")
        default:
            break
        }
        return false
    }

    private mutating func parseIntent(at offset: Int) -> SALSyntax.NodeID? {
        guard let name = parseName(of: "intent", at: offset + 1) else {
            return syntax.add(.broken, at: offset)
        }
        return syntax.add(.intent(name), at: offset)
    }

    private mutating func parseVariable(at offset: Int) -> SALSyntax.NodeID? {
        let range = scanner.scanVariableName()
        guard !range.isEmpty else {
            error(at: offset, "'$' without a name", hint: "a variable is used as $name")
            return syntax.add(.broken, at: offset)
        }
        if definesStandardVariables, text(range) == SALStandardVariables.anyWord {
            return syntax.add(.anyWord, at: offset)
        }
        return parseEntityName(around: syntax.add(.variable(text(range)), at: offset), at: offset)
    }

    /// `(name)` directly behind a value makes it an entity.
    mutating func parseEntityName(around value: SALSyntax.NodeID?, at offset: Int) -> SALSyntax.NodeID? {
        guard scanner.nextByte == Ascii.openParenthesis else { return value }
        let parenthesis = scanner.next()
        scanner.skipBlanks()
        let name = parseName(of: "entity", at: scanner.offset)
        scanner.skipBlanks()
        guard scanner.nextByte == Ascii.closeParenthesis else {
            if name != nil {
                error(at: parenthesis.start, "'(' is not closed", hint: "an entity is [value](name)")
            }
            skipParenthesis()
            return syntax.add(.broken, at: offset)
        }
        _ = scanner.next()
        guard let name else { return value }
        guard let value else {
            warn(at: offset, "entity '\(name)' without a value", hint: "put the spoken words between '[' and ']'")
            return nil
        }
        return syntax.add(.entity(name: name, value), at: offset)
    }

    private mutating func parseName(of what: String, at offset: Int) -> String? {
        let range = scanner.scanNameRun()
        if !range.isEmpty, report.source.bytes[range].allSatisfy(Ascii.isName) { return text(range) }
        error(
            at: offset, range.isEmpty ? "\(what) name missing" : "bad \(what) name '\(shown(range))'",
            hint: "names hold letters, digits, '_' and '-'")
        return nil
    }

    /// After an error within `( )`: goes behind the `)` if there is one on this line.
    private mutating func skipParenthesis() {
        var copy = scanner
        while true {
            let token = copy.next()
            switch token.kind {
            case .closeParenthesis:
                scanner = copy
                return
            case .end, .newline, .openParenthesis, .bar, .closeBracket, .closeBrace: return
            default: continue
            }
        }
    }
}
