import SpeechlyProto
import XCTest

/// Replays what the fuzzer in `Tests/Fuzzing` has kept: inputs that reach code nothing else reaches, and past finds.
final class CorpusTests: XCTestCase {
    func testEveryKeptInputIsReadOrRefusedAsPromised() throws {
        let schema = try Schema()
        var (read, refused) = (0, 0)
        for type in messageTypes {
            XCTAssertGreaterThan(try Self.inputs("corpus", type.messageName).count, 10, type.messageName)
        }
        for folder in ["corpus", "finds"] {
            for type in messageTypes {
                for (file, bytes) in try Self.inputs(folder, type.messageName) {
                    do {
                        let message = try type.init(serializedBytes: bytes)
                        read += 1
                        try check(message, schema, file)
                    } catch let error as ProtoError {
                        refused += 1
                        XCTAssertTrue((0...bytes.count).contains(error.byteOffset), "\(file): \(error)")
                        XCTAssertNotNil(schema.messages[error.messageName], "\(file): \(error)")
                    }
                }
            }
        }
        XCTAssertGreaterThan(read, 200)
        XCTAssertGreaterThan(refused, 200)
    }

    /// Reading what was written gives the same values, and they are written as the schema says.
    private func check<Message: ProtoMessage>(_ message: Message, _ schema: Schema, _ file: String) throws {
        let bytes = message.serializedBytes()
        XCTAssertEqual(try Message(serializedBytes: bytes), message, file)
        guard case .message(let fields) = Tree(message) else { return XCTFail(file) }
        var encoder = TreeEncoder(schema: schema)
        XCTAssertEqual(bytes, try encoder.encode(fields, as: Message.messageName), file)
    }

    private static func inputs(_ folder: String, _ name: String) throws -> [(String, [UInt8])] {
        let directory = Schema.directory.deletingLastPathComponent().appendingPathComponent("Tests/Fuzzing")
            .appendingPathComponent(folder).appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .map { ($0.path, [UInt8](try Data(contentsOf: $0))) }
    }
}
