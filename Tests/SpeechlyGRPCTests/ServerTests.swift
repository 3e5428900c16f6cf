import SpeechlyGRPC
import SpeechlySync
import XCTest

final class ServerTests: XCTestCase {
    private struct Secret: Error {}

    func testWhatAHandlerThrows() async throws {
        let server = Server(address: .anyPort)
        server.registerUnary("/t/Status") { _, _ in throw GRPCStatus(code: .notFound, message: "no such app") }
        server.registerUnary("/t/Other") { _, _ in throw Secret() }
        server.registerBidirectional("/t/Stream") { _ in throw Secret() }
        let channel = try Channel(address: server.start())
        let known = await status { try await channel.unary(path: "/t/Status", request: []) }
        XCTAssertEqual(known, GRPCStatus(code: .notFound, message: "no such app"))
        for path in ["/t/Other", "/t/Stream"] {
            let other = await status { try await channel.unary(path: path, request: []) }
            XCTAssertEqual(other, GRPCStatus(code: .unknown, message: "the service failed"))
        }
        server.kill()
    }

    func testWhatAHandlerKnowsOfItsCall() async throws {
        let server = Server(address: .anyPort)
        server.registerUnary("/t/Context") { context, _ in
            XCTAssertEqual(context.path, "/t/Context")
            XCTAssertEqual(context.metadata["key"], "value")
            XCTAssertTrue(context.peer.contains("127.0.0.1"), context.peer)
            let left = try XCTUnwrap(context.deadline) - .now
            XCTAssertGreaterThan(left, .seconds(5))
            XCTAssertLessThanOrEqual(left, .seconds(31))
            return []
        }
        let channel = try Channel(address: server.start())
        _ = try await channel.unary(
            path: "/t/Context", request: [], options: CallOptions(metadata: ["key": "value"], timeout: .seconds(30)))
        server.kill()
    }

    func testACancelledCallCancelsItsHandler() async throws {
        let (started, cancelled) = (expectation(description: "started"), expectation(description: "cancelled"))
        let server = Server(address: .anyPort)
        server.registerBidirectional("/t/Wait") { stream in
            started.fulfill()
            do {
                for try await _ in stream.messages {}
                XCTFail("the messages ended without an error")
            } catch {
                XCTAssertTrue(stream.isCancelled)
                cancelled.fulfill()
                throw error
            }
        }
        let recorder = Recorder()
        var call: BidirectionalCall? = try BidirectionalCall(
            channel: Channel(address: server.start()), path: "/t/Wait"
        ) { recorder.handle($0) }
        XCTAssertNotNil(call)
        await fulfillment(of: [started], timeout: 30)
        // Dropping the last reference cancels.
        call = nil
        await fulfillment(of: [cancelled], timeout: 30)
        XCTAssertEqual(recorder.endCount, 0)
        server.kill()
    }

    func testACancelledTaskCancelsItsCall() async throws {
        let (started, cancelled) = (expectation(description: "started"), expectation(description: "cancelled"))
        let server = Server(address: .anyPort)
        server.registerUnary("/t/Sleep") { _, _ in
            started.fulfill()
            do {
                try await Task.sleep(for: .seconds(600))
            } catch {
                cancelled.fulfill()
                throw error
            }
            return []
        }
        let channel = try Channel(address: server.start())
        let task = Task { try await channel.unary(path: "/t/Sleep", request: []) }
        await fulfillment(of: [started], timeout: 30)
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertEqual(($0 as? GRPCStatus)?.code, .cancelled) }
        await fulfillment(of: [cancelled], timeout: 30)
        server.kill()
    }

    func testObjectsMayBeDroppedInAHandler() async throws {
        struct All {
            var server: Server?
            var channel: Channel?
            var call: BidirectionalCall?
        }
        let (server, address) = try startEchoServer()
        let channel = try Channel(address: address)
        let all = Locked(All(server: server, channel: channel))
        let dropped = expectation(description: "dropped")
        let call = try BidirectionalCall(channel: channel, path: Method.stream) { event in
            guard case .message = event else { return }
            let last = all.withLock { all in
                defer { all = All() }
                return all
            }
            _ = consume last
            dropped.fulfill()
        }
        all.withLock { $0.call = call }
        XCTAssertEqual(call.send([1]), .sent)
        await fulfillment(of: [dropped], timeout: 30)
    }

    func testGraceRunsOut() async throws {
        let (server, address) = try startEchoServer()
        let recorder = Recorder()
        let call = try BidirectionalCall(channel: Channel(address: address), path: Method.stream) {
            recorder.handle($0)
        }
        XCTAssertEqual(call.send([1]), .sent)
        _ = await recorder.messages(1)
        await server.shutdown(grace: .milliseconds(50))
        let end = await recorder.end()
        XCTAssertEqual(end.code, .unavailable)
        let refused = await status { try await Channel(address: address).unary(path: Method.echo, request: []) }
        XCTAssertEqual(refused?.code, .unavailable)
    }

    func testKillEndsCalls() async throws {
        let (server, address) = try startEchoServer()
        let recorder = Recorder()
        let call = try BidirectionalCall(channel: Channel(address: address), path: Method.events) {
            recorder.handle($0)
        }
        XCTAssertEqual(call.send([1]), .sent)
        _ = await recorder.messages(1)
        server.kill()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .unavailable)
        XCTAssertEqual(recorder.endCount, 1)
        await server.shutdown(grace: .zero)
    }

    func testAddressesThatCannotBeListenedOn() async throws {
        let (server, address) = try startEchoServer()
        let taken = await status { try Server(address: address).start() }
        XCTAssertEqual(taken?.message, "cannot listen on \(address): Address already in use")
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let socket = try GRPCAddress(unixPath: "\(directory)/s")
        let (other, _) = try startEchoServer(socket)
        let takenSocket = await status { try Server(address: socket).start() }
        XCTAssertEqual(takenSocket?.message, "cannot listen on \(socket): Address already in use")
        let missing = try GRPCAddress(unixPath: "\(directory)/none/s")
        let noDirectory = await status { try Server(address: missing).start() }
        XCTAssertEqual(noDirectory?.message, "cannot listen on \(missing): No such file or directory")
        let twice = await status { try server.start() }
        XCTAssertEqual(twice?.code, .failedPrecondition)
        // Neither refusal took the socket from its server.
        let response = try await Channel(address: socket).unary(path: Method.echo, request: [1])
        XCTAssertEqual(response.message, [1])
        server.kill()
        other.kill()
    }

    /// A socket of this test, bound to a path.
    private func bind(_ path: String, type: __socket_type = SOCK_STREAM) -> Int32 {
        use(path, type) { Glibc.bind($0, $1, $2) }
    }

    private func use(
        _ path: String, _ type: __socket_type, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        XCTAssertEqual(result, 0, path)
        return descriptor
    }

    func testASocketThatIsInUseIsLeftAlone() async throws {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        // Nobody accepts, and the queue of connections is full: to connect would wait.
        let busy = bind("\(directory)/busy")
        listen(busy, 0)
        let waiting = use("\(directory)/busy", SOCK_STREAM) { connect($0, $1, $2) }
        // Somebody else's protocol.
        let datagram = bind("\(directory)/datagram", type: SOCK_DGRAM)
        for (name, reason) in [("busy", EADDRINUSE), ("datagram", EPROTOTYPE)] {
            let address = try GRPCAddress(unixPath: "\(directory)/\(name)")
            let refused = await status { try Server(address: address).start() }
            XCTAssertEqual(
                refused?.message, "cannot listen on \(address): \(String(cString: strerror(reason)))")
            XCTAssertTrue(FileManager.default.fileExists(atPath: "\(directory)/\(name)"))
        }
        for descriptor in [busy, waiting, datagram] { close(descriptor) }
    }

    func testASocketLeftBehindIsTakenOver() async throws {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let address = try GRPCAddress(unixPath: "\(directory)/s")
        close(bind("\(directory)/s"))
        let (server, _) = try startEchoServer(address)
        let response = try await Channel(address: address).unary(path: Method.echo, request: [1])
        XCTAssertEqual(response.message, [1])
        server.kill()
    }
}
