import Foundation

/// The messages of the files in `proto/`, by full name.
struct Schema {
    /// A field of a message.
    struct Field: Equatable {
        enum Kind: Equatable {
            case int32, int64, uint32, uint64, string, bytes
            case enumeration([String: Int32])
            case message(String)
        }
        var name: String
        var number: UInt32
        var kind: Kind
        var isRepeated = false
        var oneof: String?
    }

    struct Message: Equatable {
        var name: String
        var fields: [Field] = []

        /// What has a place of its own in a message: fields and oneofs, in order.
        var members: [String] {
            var members: [String] = []
            for field in fields where members.last != field.oneof ?? field.name {
                members.append(field.oneof ?? field.name)
            }
            return members
        }
    }

    private(set) var messages: [String: Message] = [:]

    /// The folder `proto`.
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("proto")

    /// The schema's files, by path relative to `directory`.
    static let files = [
        "speechly/identity/v1/identity.proto", "speechly/identity/v2/identity_api.proto", "speechly/slu/v1/slu.proto",
        "speechly/slu/v1/wlu.proto", "speechly/slu/v1/batch.proto", "grpc/health/v1/health.proto",
    ]

    /// The messages that come with protoc; all of the same fields.
    static let imported: Set = ["google.protobuf.Timestamp", "google.protobuf.Duration"]

    /// Reads the files in `proto/`.
    init() throws {
        for name in Self.imported {
            messages[name] = Message(
                name: name,
                fields: [
                    Field(name: "seconds", number: 1, kind: .int64), Field(name: "nanos", number: 2, kind: .int32),
                ]
            )
        }
        for file in Self.files {
            let text = try String(contentsOf: Self.directory.appendingPathComponent(file), encoding: .utf8)
            var parser = SchemaParser(text)
            for message in try parser.file() { messages[message.name] = message }
        }
    }

    func message(_ name: String) throws -> Message {
        guard let message = messages[name] else { throw SchemaParser.Failure(what: "no message \(name)") }
        return message
    }
}

/// Reads as much of the protobuf language as `proto/` uses; anything else is an error.
struct SchemaParser {
    struct Failure: Error { var what: String }

    private var tokens: [String] = []
    private var next = 0
    private var enumerations: [String: [String: Int32]] = [:]
    private var messages: [Schema.Message] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
            var word = ""
            for character in code {
                if character.isLetter || character.isNumber || character == "_" || character == "." {
                    word.append(character)
                    continue
                }
                if !word.isEmpty { tokens.append(word) }
                word = ""
                if !character.isWhitespace { tokens.append(String(character)) }
            }
            if !word.isEmpty { tokens.append(word) }
        }
    }

    mutating func file() throws -> [Schema.Message] {
        var package = ""
        while next < tokens.count {
            switch try take() {
            case "syntax", "import": skip(past: ";")
            case "package":
                package = try take()
                try expect(";")
            case "service": try skipBlock()
            case "message": try message(in: package)
            case let other: throw Failure(what: "unexpected \(other)")
            }
        }
        return try messages.map { message in
            var resolved = message
            resolved.fields = try message.fields.map { try resolve($0, in: message.name) }
            return resolved
        }
    }

    private mutating func message(in scope: String) throws {
        var message = Schema.Message(name: scope + "." + (try take()))
        try expect("{")
        var oneof: String?
        while true {
            switch try take() {
            case "}" where oneof == nil:
                messages.append(message)
                return
            case "}": oneof = nil
            case "oneof":
                oneof = try take()
                try expect("{")
            case "message": try self.message(in: message.name)
            case "enum": try enumeration(in: message.name)
            case "repeated": message.fields.append(try field(type: take(), oneof: nil, isRepeated: true))
            case let type: message.fields.append(try field(type: type, oneof: oneof, isRepeated: false))
            }
        }
    }

    private mutating func field(type: String, oneof: String?, isRepeated: Bool) throws -> Schema.Field {
        let name = try take()
        try expect("=")
        guard let number = UInt32(try take()) else { throw Failure(what: "no number for \(name)") }
        skip(past: ";")
        return .init(name: name, number: number, kind: .message(type), isRepeated: isRepeated, oneof: oneof)
    }

    private mutating func enumeration(in scope: String) throws {
        let name = scope + "." + (try take())
        var values: [String: Int32] = [:]
        try expect("{")
        while true {
            let value = try take()
            if value == "}" { break }
            try expect("=")
            values[value] = Int32(try take())
            try expect(";")
        }
        enumerations[name] = values
    }

    private func resolve(_ field: Schema.Field, in scope: String) throws -> Schema.Field {
        guard case .message(let type) = field.kind else { return field }
        var field = field
        switch type {
        case "int32": field.kind = .int32
        case "int64": field.kind = .int64
        case "uint32": field.kind = .uint32
        case "uint64": field.kind = .uint64
        case "string": field.kind = .string
        case "bytes": field.kind = .bytes
        default:
            var scope = scope
            while !scope.isEmpty {
                let name = scope + "." + type
                if let values = enumerations[name] {
                    field.kind = .enumeration(values)
                    return field
                }
                if messages.contains(where: { $0.name == name }) {
                    field.kind = .message(name)
                    return field
                }
                scope = scope.lastIndex(of: ".").map { String(scope[..<$0]) } ?? ""
            }
            guard Schema.imported.contains(type) else { throw Failure(what: "unknown type \(type)") }
        }
        return field
    }

    private mutating func take() throws -> String {
        guard next < tokens.count else { throw Failure(what: "the file ends too early") }
        next += 1
        return tokens[next - 1]
    }

    private mutating func expect(_ token: String) throws {
        let found = try take()
        guard found == token else { throw Failure(what: "\(token) expected, not \(found)") }
    }

    private mutating func skip(past token: String) {
        while next < tokens.count, tokens[next] != token { next += 1 }
        next += 1
    }

    private mutating func skipBlock() throws {
        skip(past: "{")
        var depth = 1
        while depth > 0 {
            switch try take() {
            case "{": depth += 1
            case "}": depth -= 1
            default: break
            }
        }
    }
}
