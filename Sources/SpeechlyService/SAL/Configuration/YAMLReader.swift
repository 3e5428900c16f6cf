import CYAML

/// A value of a YAML document with its place.
struct YAMLNode {
    enum Kind {
        /// `isLiteral`: a `|` block, whose lines stand in the file as they are.
        case scalar(String, isLiteral: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    var kind: Kind
    /// Where it stands, in bytes. A block begins at its `|`.
    var range: Range<Int>

    var text: String? {
        if case .scalar(let text, _) = kind { return text }
        return nil
    }
}

/// Why a text is not YAML.
struct YAMLProblem: Error {
    var offset: Int
    var message: String
    /// What to do about it; nil where only YAML's own rules tell.
    var hint: String?
}

/// Reads one YAML document with libyaml.
struct YAMLReader {
    /// Nested deeper than any configuration.
    static let maximumDepth = 32
    static let maximumNodes = 1_000_000

    private let bytes: [UInt8]
    private let marks: YAMLMarks
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var anchors: [String: YAMLNode] = [:]
    private var nodeCount = 0

    /// The first document's root; nil if there is none.
    static func read(_ bytes: [UInt8]) throws(YAMLProblem) -> YAMLNode? {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { throw YAMLProblem(offset: 0, message: "out of memory") }
        defer { yaml_parser_delete(parser) }
        // libyaml reads where the text is, which stays there until the parser is gone.
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        defer { input.deallocate() }
        _ = input.initialize(from: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        var reader = YAMLReader(bytes: bytes, marks: YAMLMarks(bytes), parser: parser)
        return try reader.document()
    }

    private init(bytes: [UInt8], marks: YAMLMarks, parser: UnsafeMutablePointer<yaml_parser_t>) {
        self.bytes = bytes
        self.marks = marks
        self.parser = parser
    }

    private mutating func document() throws(YAMLProblem) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            switch event.type {
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return root
            case YAML_DOCUMENT_START_EVENT:
                if root != nil {
                    throw problem(event, "a second document: a configuration is one", hint: "remove the line '---'")
                }
            default: root = try node(event, depth: 0)
            }
        }
    }

    private func next() throws(YAMLProblem) -> yaml_event_t {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            let text = parser.pointee.problem.map { String(cString: $0) } ?? "not YAML"
            let isReading = parser.pointee.error == YAML_READER_ERROR
            throw YAMLProblem(
                offset: isReading
                    ? min(parser.pointee.problem_offset, bytes.count) : marks.offset(parser.pointee.problem_mark),
                message: text)
        }
        return event
    }

    private func problem(_ event: yaml_event_t, _ message: String, hint: String) -> YAMLProblem {
        YAMLProblem(offset: marks.offset(event.start_mark), message: message, hint: hint)
    }

    /// The node an event begins. The recursion is bounded by `maximumDepth`.
    private mutating func node(_ event: yaml_event_t, depth: Int) throws(YAMLProblem) -> YAMLNode {
        guard depth < Self.maximumDepth else {
            throw problem(
                event, "nested deeper than \(Self.maximumDepth) levels",
                hint: "a configuration is a mapping of lists of mappings")
        }
        nodeCount += 1
        guard nodeCount <= Self.maximumNodes else {
            throw problem(event, "more than \(Self.maximumNodes) values", hint: "write fewer")
        }
        let start = marks.offset(event.start_mark)
        var result = YAMLNode(kind: .sequence([]), range: start..<max(start, marks.offset(event.end_mark)))
        var anchor: UnsafeMutablePointer<yaml_char_t>?
        switch event.type {
        case YAML_ALIAS_EVENT:
            let name = Self.string(event.data.alias.anchor)
            guard let known = anchors[name] else {
                throw problem(
                    event, "unknown alias '*\(name)'",
                    hint:
                        "'*\(name)' repeats a value marked '&\(name)' above it; a text that begins with '*' stands in "
                        + "quotes, or indented below '|'")
            }
            return known
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            anchor = scalar.anchor
            result.kind = .scalar(
                String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self),
                isLiteral: scalar.style == YAML_LITERAL_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            anchor = event.data.sequence_start.anchor
            result.kind = .sequence(try items(until: YAML_SEQUENCE_END_EVENT, depth: depth))
        case YAML_MAPPING_START_EVENT:
            anchor = event.data.mapping_start.anchor
            // libyaml sees to it that keys and values alternate.
            let items = try items(until: YAML_MAPPING_END_EVENT, depth: depth)
            result.kind = .mapping(
                stride(from: 0, to: items.count - 1, by: 2).map { (items[$0], items[$0 + 1]) })
        default:
            throw problem(event, "not expected here", hint: "remove it")
        }
        if let anchor { anchors[Self.string(anchor)] = result }
        return result
    }

    private mutating func items(until end: yaml_event_type_t, depth: Int) throws(YAMLProblem) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            var event = try next()
            defer { yaml_event_delete(&event) }
            if event.type == end { return items }
            items.append(try node(event, depth: depth + 1))
        }
    }

    private static func string(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}

/// From libyaml's marks, which count lines and characters, to byte offsets.
struct YAMLMarks {
    private let bytes: [UInt8]
    private var lineStarts = [0]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { lineStarts = [3] }
        var offset = 0
        while offset < bytes.count {
            let length = Self.breakLength(bytes, offset)
            offset += max(length, 1)
            if length > 0 { lineStarts.append(offset) }
        }
    }

    /// YAML ends a line at more characters than SAL does.
    private static func breakLength(_ bytes: [UInt8], _ offset: Int) -> Int {
        func follows(_ distance: Int, _ byte: UInt8) -> Bool {
            offset + distance < bytes.count && bytes[offset + distance] == byte
        }
        switch bytes[offset] {
        case Ascii.newline: return 1
        case Ascii.carriageReturn: return follows(1, Ascii.newline) ? 2 : 1
        case 0xC2 where follows(1, 0x85): return 2
        case 0xE2 where follows(1, 0x80) && (follows(2, 0xA8) || follows(2, 0xA9)): return 3
        default: return 0
        }
    }

    func offset(_ mark: yaml_mark_t) -> Int {
        guard mark.line < lineStarts.count else { return bytes.count }
        var offset = lineStarts[mark.line]
        var column = mark.column
        while column > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            column -= 1
        }
        return offset
    }
}
