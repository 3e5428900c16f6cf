import Foundation

/// Reads proto3 JSON, with the field names of the schema, as a tree.
struct JSONTree {
    let schema: Schema

    func message(_ json: Any, as name: String) throws -> Tree {
        if name == "google.protobuf.Timestamp" { return try timestamp(json) }
        guard let object = json as? [String: Any] else { throw SchemaParser.Failure(what: "no object for \(name)") }
        let fields = try schema.message(name).fields
        var result: [String: Tree] = [:]
        for (key, value) in object {
            guard let field = fields.first(where: { $0.name == key }) else {
                throw SchemaParser.Failure(what: "\(name) has no field \(key)")
            }
            if field.isRepeated {
                guard let elements = value as? [Any] else { throw SchemaParser.Failure(what: "no list for \(key)") }
                result[key] = .list(try elements.map { try self.value($0, field) })
            } else {
                result[key] = try self.value(value, field)
            }
        }
        return .message(result)
    }

    private func value(_ json: Any, _ field: Schema.Field) throws -> Tree {
        switch (field.kind, json) {
        case (.string, let text as String): return .string(text)
        case (.bytes, let text as String):
            guard let data = Data(base64Encoded: text) else { break }
            return .bytes([UInt8](data))
        case (.int32, let number as NSNumber): return .integer(number.int64Value)
        case (.uint32, let number as NSNumber): return .unsigned(number.uint64Value)
        case (.int64, let text as String): if let number = Int64(text) { return .integer(number) }
        case (.uint64, let text as String): if let number = UInt64(text) { return .unsigned(number) }
        case (.enumeration(let values), let text as String):
            if let number = values[text] { return .integer(Int64(number)) }
        case (.enumeration, let number as NSNumber): return .integer(number.int64Value)
        case (.message(let name), let object): return try message(object, as: name)
        default: break
        }
        throw SchemaParser.Failure(what: "\(field.name) cannot be \(json)")
    }

    /// `1970-01-01T00:00:00.5Z` as seconds and nanoseconds.
    private func timestamp(_ json: Any) throws -> Tree {
        guard let text = json as? String, text.hasSuffix("Z") else { throw SchemaParser.Failure(what: "\(json)") }
        let parts = text.dropLast().split(separator: ".")
        guard let whole = parts.first, let date = ISO8601DateFormatter().date(from: whole + "Z") else {
            throw SchemaParser.Failure(what: text)
        }
        var fields: [String: Tree] = [:]
        let seconds = Int64(date.timeIntervalSince1970.rounded())
        if seconds != 0 { fields["seconds"] = .integer(seconds) }
        if parts.count > 1, let nanos = Int64(parts[1].padding(toLength: 9, withPad: "0", startingAt: 0)), nanos != 0 {
            fields["nanos"] = .integer(nanos)
        }
        return .message(fields)
    }
}
