import CProtobufCPeer
import Foundation
import SpeechlyProto
import XCTest

/// A second opinion: libprotobuf-c, with code that protoc-c makes from `proto/`.
final class PeerTests: XCTestCase {
    private static let seed: UInt64 = 20_260_701
    private static let messagesPerType = 250

    /// Random values, encoded by the schema alone: we decode the same values, and both encode the same bytes.
    func testCanonicalMessagesMeanTheSameToBoth() throws {
        let schema = try Schema()
        var generator = TreeGenerator(schema: schema, random: SeededGenerator(seed: Self.seed))
        var encoder = TreeEncoder(schema: schema)
        for type in messageTypes {
            for _ in 0..<Self.messagesPerType {
                let tree = try generator.message(type.messageName)
                let bytes = try encoder.encode(tree, as: type.messageName)
                let message = try type.init(serializedBytes: bytes)
                XCTAssertEqual(Tree(message), .message(tree))
                XCTAssertEqual(message.serializedBytes(), bytes, type.messageName)
                XCTAssertEqual(try Self.peer(type.messageName, bytes), bytes, type.messageName)
            }
        }
    }

    /// As other encoders may write them: fields out of order, strings sent twice, longer varints. Both read the same
    /// values, and the canonical encoding of the same values comes back. (Submessages in pieces are left to protoc:
    /// libprotobuf-c 1.4 loses proto3 fields when it merges.)
    func testOtherEncodingsMeanTheSameToBoth() throws {
        let schema = try Schema()
        var generator = TreeGenerator(schema: schema, random: SeededGenerator(seed: Self.seed + 1))
        var canonical = TreeEncoder(schema: schema)
        var varied = TreeEncoder(schema: schema, variation: SeededGenerator(seed: Self.seed + 2))
        var different = 0
        for type in messageTypes {
            for _ in 0..<Self.messagesPerType {
                let tree = try generator.message(type.messageName)
                let bytes = try varied.encode(tree, as: type.messageName)
                let expected = try canonical.encode(tree, as: type.messageName)
                let message = try type.init(serializedBytes: bytes)
                XCTAssertEqual(Tree(message), .message(tree), "\(type.messageName) \(bytes)")
                XCTAssertEqual(message.serializedBytes(), expected, "\(type.messageName) \(bytes)")
                XCTAssertEqual(try Self.peer(type.messageName, bytes), expected, "\(type.messageName) \(bytes)")
                if bytes != expected { different += 1 }
            }
        }
        XCTAssertGreaterThan(different, 2000)
    }

    /// The same with submessages in pieces, and protoc for the second opinion on some of them.
    func testMessagesInPiecesMeanTheSameToProtoc() throws {
        let schema = try Schema()
        var generator = TreeGenerator(schema: schema, random: SeededGenerator(seed: Self.seed + 3))
        var canonical = TreeEncoder(schema: schema)
        var varied = TreeEncoder(
            schema: schema, variation: SeededGenerator(seed: Self.seed + 4), splitsMessages: true
        )
        let types: [any ProtoMessage.Type] = [LoginRequest.self, SLURequest.self, SLUResponse.self, TextsResponse.self]
        for type in types {
            for round in 0..<Self.messagesPerType {
                let tree = try generator.message(type.messageName)
                let bytes = try varied.encode(tree, as: type.messageName)
                let expected = try canonical.encode(tree, as: type.messageName)
                XCTAssertEqual(
                    try type.init(serializedBytes: bytes).serializedBytes(), expected, "\(type.messageName) \(bytes)")
                guard round < 10, FileManager.default.isExecutableFile(atPath: Self.protoc) else { continue }
                let text = try Self.protoc(["--decode", type.messageName], input: Data(bytes))
                let again = try Self.protoc(["--encode", type.messageName], input: text)
                XCTAssertEqual([UInt8](again), expected, "protoc on \(type.messageName): \(bytes)")
            }
        }
    }

    func testThePeersCodeIsNotStale() throws {
        let paths = ["/usr/bin/protoc", "/usr/bin/protoc-gen-c"]
        try XCTSkipUnless(paths.allSatisfy(FileManager.default.isExecutableFile), "protoc-c is not installed")
        let folder = Schema.directory.deletingLastPathComponent().appendingPathComponent("Tests/CProtobufCPeer")
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = folder.appendingPathComponent("generate.sh")
        process.arguments = [output.path]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        let committed = try Self.contents(folder.appendingPathComponent("generated"))
        XCTAssertEqual(committed.count, 16)
        XCTAssertEqual(try Self.contents(output), committed, "run Tests/CProtobufCPeer/generate.sh")
    }

    private static let protoc = "/usr/bin/protoc"

    private static func protoc(_ arguments: [String], input: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: protoc)
        process.arguments = ["-I", Schema.directory.path] + arguments + Schema.files
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        // Messages of this test are smaller than a pipe's buffer.
        try stdin.fileHandleForWriting.write(contentsOf: input)
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        return output
    }

    private static func peer(_ name: String, _ bytes: [UInt8]) throws -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        var size = 0
        let result = cprotobufcpeer_reencode(name, bytes, bytes.count, &output, &size)
        defer { free(output) }
        XCTAssertEqual(Int(result), CPROTOBUFCPEER_OK, "libprotobuf-c on \(name): \(bytes)")
        return Array(UnsafeBufferPointer(start: output, count: size))
    }

    private static func contents(_ folder: URL) throws -> [String: Data] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".pb-c.") }
        return Dictionary(
            uniqueKeysWithValues: try files.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
        )
    }
}
