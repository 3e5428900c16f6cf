import Foundation
import SpeechlyGRPC
import SpeechlySync
import XCTest

final class ConnectTests: XCTestCase {
    func testClosedPort() async throws {
        let address = GRPCAddress(host: "127.0.0.1", port: try closedPort(), secure: false)
        let channel = try Channel(address: address)
        let unary = await status { try await channel.unary(path: Method.echo, request: []) }
        let ready = await status { try await channel.waitUntilReady() }
        for status in [unary, ready] {
            XCTAssertEqual(status?.code, .unavailable)
            XCTAssertEqual(status?.message?.hasPrefix("cannot connect to \(address): "), true, status?.message ?? "")
            XCTAssertEqual(status?.message?.contains("Connection refused"), true, status?.message ?? "")
        }
    }

    func testMissingSocket() async throws {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let address = try GRPCAddress(unixPath: "\(directory)/none.sock")
        let status = await status { try await Channel(address: address).waitUntilReady() }
        XCTAssertEqual(status?.code, .unavailable)
        XCTAssertEqual(status?.message?.contains("No such file or directory"), true, status?.message ?? "")
    }

    func testAServerThatAcceptsAndSaysNothing() async throws {
        let listener = try RawListener()
        defer { listener.close() }
        let channel = try Channel(
            address: listener.address, configuration: .init(connectTimeout: .milliseconds(300)))
        let unary = await status { try await channel.unary(path: Method.echo, request: []) }
        XCTAssertEqual(unary?.code, .unavailable)
        XCTAssertEqual(unary?.message?.hasPrefix("cannot connect to \(listener.address)"), true, unary?.message ?? "")
        let ready = await status { try await channel.waitUntilReady() }
        XCTAssertEqual(ready?.code, .unavailable)
        XCTAssertEqual(ready?.message?.hasPrefix("cannot connect to \(listener.address)"), true, ready?.message ?? "")
    }

    func testAChannelThatIsClosedWhileItConnectsLeavesNoConnection() async throws {
        let listener = try RawListener()
        defer { listener.close() }
        let channel = try Channel(address: listener.address, configuration: .init(ownConnection: true))
        _ = channel.connectivityState(tryToConnect: true)
        let closed = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let connection = accept(listener.descriptor, nil, nil)
                defer { Glibc.close(connection) }
                var limit = timeval(tv_sec: 20, tv_usec: 0)
                setsockopt(
                    connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
                var bytes = [UInt8](repeating: 0, count: 1024)
                guard recv(connection, &bytes, bytes.count, 0) > 0 else { return continuation.resume(returning: false) }
                channel.close()
                // The server's settings, of which there are none, come after that.
                let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
                _ = send(connection, settings, settings.count, Int32(MSG_NOSIGNAL))
                var count = 1
                while count > 0 { count = recv(connection, &bytes, bytes.count, 0) }
                continuation.resume(returning: count == 0 || errno == ECONNRESET)
            }
        }
        XCTAssertTrue(closed, "the connection stays")
        XCTAssertEqual(channel.connectivityState(), .shutdown)
    }

    func testADeadlineSaysHowLongWasWaitedForWhat() async throws {
        let listener = try RawListener()
        defer { listener.close() }
        let silent = try Channel(address: listener.address)
        let options = CallOptions(timeout: .milliseconds(300))
        let unary = await status { try await silent.unary(path: Method.echo, request: [], options: options) }
        let ready = await status { try await silent.waitUntilReady(timeout: .milliseconds(300)) }
        XCTAssertEqual(unary?.code, .deadlineExceeded)
        for status in [unary, ready] {
            XCTAssertEqual(
                status?.message,
                "cannot connect to \(listener.address): the port accepted the connection, and nothing answered within "
                    + "0.3 seconds")
        }
        let (server, address) = try startEchoServer()
        defer { server.kill() }
        let channel = try Channel(address: address)
        try await channel.waitUntilReady()
        let asleep = await status { try await channel.unary(path: Method.sleep, request: [], options: options) }
        XCTAssertEqual(asleep?.code, .deadlineExceeded)
        XCTAssertEqual(asleep?.message, "\(address) is connected, and did not answer within 0.3 seconds")
    }

    func testAWebServerIsCalledOne() async throws {
        for line in ["200 OK", "404 Not Found"] {
            let listener = try RawListener()
            let descriptor = listener.descriptor
            let ended = expectation(description: "no more connections")
            DispatchQueue.global().async {
                defer { ended.fulfill() }
                while true {
                    let connection = accept(descriptor, nil, nil)
                    guard connection >= 0 else { return }
                    var request = [UInt8](repeating: 0, count: 1024)
                    _ = recv(connection, &request, request.count, 0)
                    let answer = "HTTP/1.1 \(line)\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                    _ = answer.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                    close(connection)
                }
            }
            let channel = try Channel(address: listener.address)
            let status = await status { try await channel.waitUntilReady() }
            XCTAssertEqual(
                status?.message,
                "cannot connect to \(listener.address): what answers there is a web server that speaks HTTP/1, not gRPC"
            )
            channel.close()
            shutdown(descriptor, Int32(SHUT_RDWR))
            await fulfillment(of: [ended], timeout: 30)
            listener.close()
        }
    }

    func testTimeoutsOfAnyLength() async throws {
        for timeout in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10] {
            let (server, address) = try startEchoServer(.anyPort, .init(minimumPingInterval: timeout))
            let channel = try Channel(
                address: address,
                configuration: .init(
                    keepalive: .init(interval: timeout, timeout: timeout), connectTimeout: timeout,
                    initialReconnectBackoff: timeout, maximumReconnectBackoff: timeout))
            try await channel.waitUntilReady(timeout: timeout)
            let response = try await channel.unary(
                path: Method.echo, request: [7], options: CallOptions(timeout: timeout))
            XCTAssertEqual(response.message, [7])
            channel.close()
            await server.shutdown(grace: timeout)
        }
        for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min) * 10] {
            let (server, address) = try startEchoServer()
            let channel = try Channel(address: address, configuration: .init(ownConnection: true))
            let options = CallOptions(timeout: timeout)
            let late = await status { try await channel.unary(path: Method.sleep, request: [], options: options) }
            XCTAssertEqual(late?.code, .deadlineExceeded)
            // There may be a connection all the same.
            _ = try? await channel.waitUntilReady(timeout: timeout)
            await server.shutdown(grace: timeout)
        }
    }

    func testAProxyIsNotAskedForLoopback() async throws {
        let (server, address) = try startEchoServer(GRPCAddress(host: "localhost", port: 0, secure: false))
        setenv("grpc_proxy", "http://127.0.0.1:\(try closedPort())", 1)
        defer { unsetenv("grpc_proxy") }
        let response = try await Channel(address: address, configuration: .init(ownConnection: true)).unary(
            path: Method.echo, request: [3])
        XCTAssertEqual(response.message, [3])
        server.kill()
    }

    func testStates() async throws {
        let (server, address) = try startEchoServer()
        let channel = try Channel(address: address, configuration: .init(ownConnection: true))
        XCTAssertEqual(channel.connectivityState(), .idle)
        var states = channel.connectivityStates.makeAsyncIterator()
        let first = await states.next()
        XCTAssertEqual(first, .idle)
        try await channel.waitUntilReady()
        XCTAssertEqual(channel.connectivityState(), .ready)
        while let state = await states.next(), state != .ready {}
        server.kill()
        while let state = await states.next(), state == .ready {}
        channel.close()
        while let state = await states.next(), state != .shutdown {}
        let last = await states.next()
        XCTAssertNil(last)
        XCTAssertEqual(channel.connectivityState(), .shutdown)
        let closed = await status { try await channel.unary(path: Method.echo, request: []) }
        XCTAssertEqual(closed?.code, .unavailable)
        XCTAssertEqual(closed?.message, "\(address): the channel is closed")
    }

    func testADroppedChannelEndsItsStates() async throws {
        let (server, address) = try startEchoServer()
        var channel: Channel? = try Channel(address: address)
        try await channel?.waitUntilReady()
        let states = try XCTUnwrap(channel?.connectivityStates)
        channel = nil
        var last: ConnectivityState?
        for await state in states { last = state }
        XCTAssertEqual(last, .shutdown)
        server.kill()
    }

    func testReconnectsAfterTheServerCameBack() async throws {
        let directory = try makeTemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (first, address) = try startEchoServer(GRPCAddress(unixPath: "\(directory)/s"))
        let channel = try Channel(
            address: address,
            configuration: .init(initialReconnectBackoff: .milliseconds(10), maximumReconnectBackoff: .milliseconds(50))
        )
        _ = try await channel.unary(path: Method.echo, request: [1])
        await first.shutdown(grace: .zero)
        // A call that the dead connection takes before its end is known fails, as it should.
        let lost = expectation(description: "the connection's end is known")
        let watch = Task {
            for await state in channel.connectivityStates where state != .ready { return lost.fulfill() }
        }
        await fulfillment(of: [lost], timeout: 30)
        watch.cancel()
        let (second, _) = try startEchoServer(address)
        let response = try await channel.unary(
            path: Method.echo, request: [2], options: CallOptions(waitForReady: true))
        XCTAssertEqual(response.message, [2])
        second.kill()
    }

    func testWaitingForReadyIsCancelledWithItsTask() async throws {
        let listener = try RawListener()
        defer { listener.close() }
        let channel = try Channel(address: listener.address)
        let task = Task { try await channel.waitUntilReady(timeout: .seconds(60)) }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }

    func testKeepaliveFindsADeadPeer() async throws {
        // Between the two, a relay that can stop to relay without closing.
        let (server, address) = try startEchoServer()
        let relay = try Relay(to: address.port)
        let keepalive = Channel.Configuration.Keepalive(
            interval: .milliseconds(100), timeout: .milliseconds(100), permitWithoutCalls: true)
        let channel = try Channel(
            address: relay.address, configuration: .init(keepalive: keepalive, ownConnection: true))
        let recorder = Recorder()
        let call = try BidirectionalCall(channel: channel, path: Method.stream) { recorder.handle($0) }
        XCTAssertEqual(call.send([1]), .sent)
        _ = await recorder.messages(1)
        relay.freeze()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .unavailable)
        relay.stop()
        server.kill()
    }
}

/// Passes bytes between a client and a server until it is frozen.
private final class Relay: Sendable {
    private let listener: RawListener
    private let isFrozen = Locked(false)
    private let sockets = Locked<[Int32]>([])

    var address: GRPCAddress { listener.address }

    init(to port: Int) throws {
        listener = try RawListener()
        let thread = Thread { [self] in
            let client = accept(listener.descriptor, nil, nil)
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            address.sin_port = in_port_t(port).bigEndian
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard client >= 0, connected == 0 else { return }
            sockets.withLock { $0 = [client, server] }
            for (from, to) in [(client, server), (server, client)] {
                Thread { [self] in pump(from, to) }.start()
            }
        }
        thread.start()
    }

    private func pump(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0 else { return }
            if isFrozen.withLock({ $0 }) { continue }
            guard write(to, buffer, count) == count else { return }
        }
    }

    func freeze() { isFrozen.withLock { $0 = true } }

    func stop() {
        for descriptor in sockets.withLock({ $0 }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        listener.close()
    }
}
