/// Encodes trees by the schema alone, as the plainest encoder one can write: the first opinion on what bytes a value
/// has. Can also write what other encoders may: fields in any order, submessages in pieces, longer varints.
struct TreeEncoder {
    let schema: Schema
    /// Decides where to deviate from the canonical form; `nil` never does.
    var variation: SeededGenerator?
    /// Whether a deviation may be a submessage in pieces.
    var splitsMessages = false

    init(schema: Schema, variation: SeededGenerator? = nil, splitsMessages: Bool = false) {
        self.schema = schema
        self.variation = variation
        self.splitsMessages = splitsMessages
    }

    mutating func encode(_ fields: [String: Tree], as name: String) throws -> [UInt8] {
        var pieces: [[UInt8]] = []
        var order = try schema.message(name).fields.sorted { $0.number < $1.number }
        if deviates() { order.reverse() }
        for field in order {
            guard let value = fields[field.name] else { continue }
            if case .list(let elements) = value {
                for element in elements { pieces.append(try encode(element, field)) }
            } else if splitsMessages, case .message(let inner) = value, deviates(), let (first, second) = split(inner) {
                pieces.append(try encode(.message(first), field))
                pieces.append(try encode(.message(second), field))
            } else {
                if case .string = value, deviates() {
                    // An earlier value of the same field, which the later one replaces.
                    pieces.append(try encode(.string("replaced"), field))
                }
                pieces.append(try encode(value, field))
            }
        }
        return pieces.flatMap { $0 }
    }

    private mutating func encode(_ value: Tree, _ field: Schema.Field) throws -> [UInt8] {
        switch value {
        case .integer(let value): return Self.varint(UInt64(field.number) << 3) + number(UInt64(bitPattern: value))
        case .unsigned(let value): return Self.varint(UInt64(field.number) << 3) + number(value)
        case .string(let value): return delimited(Array(value.utf8), field)
        case .bytes(let value): return delimited(value, field)
        case .message(let fields):
            guard case .message(let name) = field.kind else { throw SchemaParser.Failure(what: field.name) }
            return delimited(try encode(fields, as: name), field)
        case .list: throw SchemaParser.Failure(what: "a list in a list: \(field.name)")
        }
    }

    private mutating func delimited(_ content: [UInt8], _ field: Schema.Field) -> [UInt8] {
        Self.varint(UInt64(field.number) << 3 | 2) + number(UInt64(content.count)) + content
    }

    /// A varint, with a byte more than needed now and then.
    private mutating func number(_ value: UInt64) -> [UInt8] {
        var bytes = Self.varint(value)
        if bytes.count < 5, deviates() {
            bytes[bytes.count - 1] |= 0x80
            bytes.append(0)
        }
        return bytes
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private mutating func deviates() -> Bool {
        guard var random = variation else { return false }
        defer { variation = random }
        return Int.random(in: 0..<4, using: &random) == 0
    }

    private func split(_ fields: [String: Tree]) -> ([String: Tree], [String: Tree])? {
        guard fields.count > 1 else { return nil }
        let names = fields.keys.sorted()
        let first = Set(names[..<(names.count / 2)])
        return (fields.filter { first.contains($0.key) }, fields.filter { !first.contains($0.key) })
    }
}
