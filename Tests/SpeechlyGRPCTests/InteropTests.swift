import SpeechlyGRPC
import SpeechlySync
import XCTest

/// The cases of gRPC's public interoperability test description, against our own server.
final class InteropTests: XCTestCase {
    private func open(
        _ method: String, _ options: CallOptions = .init(), to address: GRPCAddress
    ) throws -> (BidirectionalCall, Recorder) {
        let recorder = Recorder()
        let call = try BidirectionalCall(channel: Channel(address: address), path: method, options: options) {
            recorder.handle($0)
        }
        return (call, recorder)
    }

    func testEmptyUnary() async throws {
        let (server, address) = try startEchoServer()
        let response = try await Channel(address: address).unary(path: Method.echo, request: [])
        XCTAssertEqual(response.message, [])
        server.kill()
    }

    func testLargeUnary() async throws {
        let (server, address) = try startEchoServer()
        let request = Array(repeating: Array(0...255) as [UInt8], count: 12_288).flatMap { $0 }
        let response = try await Channel(address: address).unary(path: Method.echo, request: request)
        XCTAssertEqual(response.message, request)
        server.kill()
    }

    func testPingPongWithUnevenSizes() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.sizes, to: address)
        let rounds = [(27_182, 31_415), (8, 9), (1_828, 2_653), (45_904, 58_979)]
        for (index, (up, down)) in rounds.enumerated() {
            var request = [UInt8](repeating: 0, count: up)
            withUnsafeBytes(of: UInt32(down).bigEndian) { request.replaceSubrange(0..<4, with: $0) }
            XCTAssertEqual(call.send(request), .sent)
            let messages = await recorder.messages(index + 1)
            XCTAssertEqual(messages.map(\.count), rounds.prefix(index + 1).map(\.1))
        }
        call.closeSend()
        let end = await recorder.end()
        XCTAssertEqual(end, .ok)
        XCTAssertEqual(recorder.endCount, 1)
        XCTAssertEqual(recorder.eventsAfterEnd, 0)
        server.kill()
    }

    func testEmptyStream() async throws {
        let (server, address) = try startEchoServer()
        for method in [Method.stream, Method.events] {
            let (call, recorder) = try open(method, to: address)
            call.closeSend()
            let end = await recorder.end()
            XCTAssertEqual(end, .ok)
            XCTAssertEqual(recorder.received, [])
        }
        server.kill()
    }

    func testStatusCodeAndMessage() async throws {
        let (server, address) = try startEchoServer()
        let channel = try Channel(address: address)
        for message in ["test status message", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"] {
            let status = await status { try await channel.unary(path: Method.status, request: Array(message.utf8)) }
            XCTAssertEqual(status?.code, .unknown)
            XCTAssertEqual(status?.message, message)
        }
        server.kill()
    }

    func testUnimplementedMethod() async throws {
        let (server, address) = try startEchoServer()
        let status = await status {
            try await Channel(address: address).unary(path: "/test.Echo/Unknown", request: [1])
        }
        XCTAssertEqual(status?.code, .unimplemented)
        XCTAssertEqual(status?.message, "unknown method /test.Echo/Unknown")
        server.kill()
    }

    func testCancelAfterBegin() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.stream, to: address)
        call.cancel()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .cancelled)
        XCTAssertEqual(recorder.received, [])
        XCTAssertEqual(call.send([1]), .closed)
        server.kill()
    }

    func testCancelAfterFirstResponse() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.stream, to: address)
        XCTAssertEqual(call.send([1, 2, 3]), .sent)
        let messages = await recorder.messages(1)
        XCTAssertEqual(messages, [[1, 2, 3]])
        call.cancel()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .cancelled)
        XCTAssertEqual(recorder.endCount, 1)
        server.kill()
    }

    func testTimeoutOnSleepingServer() async throws {
        let (server, address) = try startEchoServer()
        let status = await status {
            try await Channel(address: address).unary(
                path: Method.sleep, request: [], options: CallOptions(timeout: .milliseconds(1)))
        }
        XCTAssertEqual(status?.code, .deadlineExceeded)
        server.kill()
    }

    func testCustomMetadata() async throws {
        let (server, address) = try startEchoServer()
        var metadata: Metadata = ["X-Grpc-Test-Echo-Initial": "test_initial_metadata_value"]
        metadata.append([0xAB, 0x00, 0xAB, 0x0A], forKey: "x-grpc-test-echo-trailing-bin")
        let (call, recorder) = try open(Method.stream, CallOptions(metadata: metadata), to: address)
        XCTAssertEqual(call.send([7]), .sent)
        call.closeSend()
        let end = await recorder.end()
        XCTAssertTrue(end.isOk)
        XCTAssertEqual(recorder.initialMetadata?["x-grpc-test-echo-initial"], "test_initial_metadata_value")
        XCTAssertEqual(end.trailingMetadata.binary("x-grpc-test-echo-trailing-bin"), [0xAB, 0x00, 0xAB, 0x0A])
        server.kill()
    }

    func testUnixSocket() async throws {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (server, address) = try startEchoServer(GRPCAddress(unixPath: "\(directory)/a b%?.sock"))
        let response = try await Channel(address: address).unary(path: Method.echo, request: [5])
        XCTAssertEqual(response.message, [5])
        await server.shutdown(grace: .seconds(5))
    }

    func testGracefulShutdownLetsCallsEnd() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.stream, to: address)
        XCTAssertEqual(call.send([1]), .sent)
        _ = await recorder.messages(1)
        async let stopped: Void = server.shutdown(grace: .seconds(30))
        XCTAssertEqual(call.send([2]), .sent)
        _ = await recorder.messages(2)
        call.closeSend()
        let end = await recorder.end()
        XCTAssertEqual(end, .ok)
        await stopped
        XCTAssertEqual(recorder.received, [[1], [2]])
    }
}
