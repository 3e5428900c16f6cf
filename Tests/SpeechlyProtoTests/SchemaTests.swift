import SpeechlyProto
import XCTest

/// Holds the codec to the schema in `proto/`: names, members, numbers and types of every field of every message.
final class SchemaTests: XCTestCase {
    func testEveryMessageOfTheSchemaExistsAndNoOther() throws {
        XCTAssertEqual(messageTypes.map { $0.messageName }.sorted(), try Schema().messages.keys.sorted())
    }

    func testStructsHaveTheMembersOfTheSchemaInOrder() throws {
        let schema = try Schema()
        for type in messageTypes {
            let properties = Mirror(reflecting: type.init()).children.compactMap(\.label).map(\.snakeCase)
            XCTAssertEqual(properties, try schema.message(type.messageName).members, type.messageName)
            XCTAssertEqual(Tree(type.init()), .message([:]), "defaults of \(type.messageName)")
            XCTAssertEqual(type.init().serializedBytes(), [], type.messageName)
        }
    }

    func testEveryFieldHasItsNumberTypeAndName() throws {
        let schema = try Schema()
        var encoder = TreeEncoder(schema: schema)
        var fields = 0
        for type in messageTypes {
            for field in try schema.message(type.messageName).fields {
                for value in Self.values(field) {
                    let tree: [String: Tree] = [field.name: field.isRepeated ? .list([value, value]) : value]
                    let bytes = try encoder.encode(tree, as: type.messageName)
                    let message = try type.init(serializedBytes: bytes)
                    XCTAssertEqual(Tree(message), .message(tree), "\(type.messageName).\(field.name)")
                    XCTAssertEqual(message.serializedBytes(), bytes, "\(type.messageName).\(field.name)")
                }
                fields += 1
            }
        }
        XCTAssertEqual(fields, schema.messages.values.reduce(0) { $0 + $1.fields.count })
    }

    func testEnumerationsHaveTheValuesOfTheSchema() throws {
        let schema = try Schema()
        let config = try schema.message("speechly.slu.v1.SLUConfig").fields[0]
        XCTAssertEqual(config.kind, .enumeration(["LINEAR16": SLUConfig.Encoding.linear16.rawValue]))
        let event = try schema.message("speechly.slu.v1.SLUEvent").fields[0]
        XCTAssertEqual(
            event.kind,
            .enumeration(["START": SLUEvent.EventType.start.rawValue, "STOP": SLUEvent.EventType.stop.rawValue])
        )
        typealias Serving = HealthCheckResponse.ServingStatus
        let health = try schema.message("grpc.health.v1.HealthCheckResponse").fields[0]
        let serving: [(String, Serving)] = [
            ("UNKNOWN", .unknown), ("SERVING", .serving), ("NOT_SERVING", .notServing),
            ("SERVICE_UNKNOWN", .serviceUnknown),
        ]
        XCTAssertEqual(health.kind, .enumeration(Dictionary(uniqueKeysWithValues: serving.map { ($0, $1.rawValue) })))
        let encoding = try schema.message("speechly.slu.v1.AudioConfiguration").fields[0]
        XCTAssertEqual(
            encoding.kind,
            .enumeration([
                "ENCODING_INVALID": BatchAudioConfiguration.Encoding.invalid.rawValue,
                "ENCODING_LINEAR16": BatchAudioConfiguration.Encoding.linear16.rawValue,
            ]))
        let method = try schema.message("speechly.slu.v1.HttpResource").fields[1]
        let methods: [(String, BatchHTTPResource.Method)] = [
            ("METHOD_INVALID", .invalid), ("METHOD_GET", .get), ("METHOD_POST", .post), ("METHOD_PUT", .put),
        ]
        XCTAssertEqual(method.kind, .enumeration(Dictionary(uniqueKeysWithValues: methods.map { ($0, $1.rawValue) })))
        let status = try schema.message("speechly.slu.v1.Operation").fields[2]
        let statuses: [(String, BatchOperation.Status)] = [
            ("STATUS_INVALID", .invalid), ("STATUS_QUEUED", .queued), ("STATUS_PROCESSING", .processing),
            ("STATUS_DONE", .done), ("STATUS_ERROR", .error), ("STATUS_ANALYSING", .analysing),
            ("STATUS_WAITING_DECODER", .waitingDecoder),
        ]
        XCTAssertEqual(status.kind, .enumeration(Dictionary(uniqueKeysWithValues: statuses.map { ($0, $1.rawValue) })))
    }

    func testTheSchemaIsWhatProtocSays() throws {
        let protoc = URL(fileURLWithPath: "/usr/bin/protoc")
        try XCTSkipUnless(FileManager.default.isExecutableFile(atPath: protoc.path), "protoc is not installed")
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = protoc
        process.arguments = ["-I", Schema.directory.path, "--descriptor_set_out", output.path] + Schema.files
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)

        var described: [String: [String: [UInt32]]] = [:]
        for file in try RawMessage(Array(Data(contentsOf: output))).messages(1) {
            let package = try XCTUnwrap(file.strings(2).first)
            for message in try file.messages(4) { try Self.describe(message, in: package, into: &described) }
        }
        var parsed: [String: [String: [UInt32]]] = [:]
        for message in try Schema().messages.values where !Schema.imported.contains(message.name) {
            parsed[message.name] = [:]
            for field in message.fields {
                parsed[message.name]?[field.name] = [
                    field.number, field.isRepeated ? 3 : 1, Self.typeNumber(field.kind),
                ]
            }
        }
        XCTAssertEqual(described, parsed)
    }

    /// A value of a field's type that is not its default; for submessages an empty one.
    private static func values(_ field: Schema.Field) -> [Tree] {
        switch field.kind {
        case .int32: [.integer(1), .integer(-1), .integer(Int64(Int32.max)), .integer(Int64(Int32.min))]
        case .int64: [.integer(1), .integer(-1), .integer(.max), .integer(.min)]
        case .uint32: [.unsigned(1), .unsigned(UInt64(UInt32.max))]
        case .uint64: [.unsigned(1), .unsigned(.max)]
        case .enumeration: [.integer(1), .integer(77)]
        case .string: [.string("a"), .string(String(repeating: "ß", count: 100))]
        case .bytes: [.bytes([]), .bytes([0]), .bytes(.init(repeating: 0xFF, count: 3200))]
        case .message: [.message([:])]
        }
    }

    /// The message and those in it: for each field number, label and type, as `descriptor.proto` numbers them.
    private static func describe(
        _ message: RawMessage, in scope: String, into result: inout [String: [String: [UInt32]]]
    ) throws {
        let name = scope + "." + (try XCTUnwrap(message.strings(1).first))
        result[name] = [:]
        for field in try message.messages(2) {
            let numbers = try [3, 4, 5].map { UInt32(try XCTUnwrap(field.numbers($0).first)) }
            result[name]?[try XCTUnwrap(field.strings(1).first)] = numbers
        }
        for nested in try message.messages(3) { try describe(nested, in: name, into: &result) }
    }

    private static func typeNumber(_ kind: Schema.Field.Kind) -> UInt32 {
        switch kind {
        case .int64: 3
        case .uint64: 4
        case .int32: 5
        case .string: 9
        case .message: 11
        case .bytes: 12
        case .uint32: 13
        case .enumeration: 14
        }
    }
}
