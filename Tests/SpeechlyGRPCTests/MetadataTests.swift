import SpeechlyGRPC
import XCTest

final class MetadataTests: XCTestCase {
    func testIsAnOrderedMultimap() {
        var metadata: Metadata = ["A": "1", "b": "2"]
        metadata.append("3", forKey: "a")
        metadata.append([9], forKey: "C-Bin")
        XCTAssertEqual(metadata.map(\.key), ["a", "b", "a", "c-bin"])
        XCTAssertEqual(metadata["A"], "1")
        XCTAssertEqual(metadata.all("a"), ["1", "3"])
        XCTAssertEqual(metadata.binary("c-bin"), [9])
        XCTAssertNil(metadata["missing"])
        metadata["a"] = "4"
        XCTAssertEqual(metadata.all("a"), ["4"])
        metadata["a"] = nil
        XCTAssertEqual(metadata.all("a"), [])
    }

    func testDescriptionKeepsValuesToItself() {
        let metadata: Metadata = ["authorization": "Bearer secret"]
        XCTAssertEqual(metadata.description, "[authorization: 13 bytes]")
    }

    func testWhatCannotBeSentIsNamed() async throws {
        let (server, address) = try startEchoServer()
        let channel = try Channel(address: address)
        var binaryUnderText = Metadata()
        binaryUnderText.append([1], forKey: "data")
        let table: [(Metadata, String)] = [
            (["": "x"], "''"), (["a key": "x"], "'a key'"), (["schlüssel": "x"], "'schlüssel'"),
            ([":path": "x"], "':path'"), (["key": "ü"], "'key'"), (["key": "a\nb"], "'key'"),
            (["key-bin": "text"], "'key-bin'"), (binaryUnderText, "'data'"), (["te": "x"], "'te'"),
        ]
        for (metadata, name) in table {
            let status = await status {
                try await channel.unary(path: Method.echo, request: [], options: CallOptions(metadata: metadata))
            }
            XCTAssertEqual(status?.code, .invalidArgument, name)
            XCTAssertEqual(status?.message?.contains(name), true, status?.message ?? "")
        }
        server.kill()
    }

    func testInvalidTrailingMetadataEndsTheCallWithInternal() async throws {
        let server = Server(address: .anyPort)
        server.registerUnary("/t/M") { _, _ in
            throw GRPCStatus(code: .notFound, trailingMetadata: ["bad key": "x"])
        }
        let channel = try Channel(address: server.start())
        let status = await status { try await channel.unary(path: "/t/M", request: []) }
        XCTAssertEqual(status?.code, .internal)
        XCTAssertEqual(status?.message?.contains("'bad key'"), true)
        server.kill()
    }

    func testAPathThatIsNone() async throws {
        let (server, address) = try startEchoServer()
        let channel = try Channel(address: address)
        for path in ["", "test.Echo/Unary", "/a b", "/ü"] {
            let status = await status { try await channel.unary(path: path, request: []) }
            XCTAssertEqual(status?.code, .invalidArgument, path)
        }
        server.kill()
    }
}
