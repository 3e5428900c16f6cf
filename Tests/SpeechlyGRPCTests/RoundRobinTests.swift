import SpeechlyGRPC
import XCTest

final class RoundRobinTests: XCTestCase {
    private func startNamed(_ names: [String]) throws -> ([Server], [Int]) {
        var servers: [Server] = []
        var ports: [Int] = []
        for name in names {
            let server = Server(address: .anyPort)
            server.registerUnary("/t/Name") { _, _ in Array(name.utf8) }
            ports.append(try server.start().port)
            servers.append(server)
        }
        return (servers, ports)
    }

    private func answers(_ channel: Channel, _ count: Int) async throws -> [String: Int] {
        var result: [String: Int] = [:]
        for _ in 0..<count {
            let response = try await channel.unary(
                path: "/t/Name", request: [], options: CallOptions(timeout: .seconds(20), waitForReady: true))
            result[String(decoding: response.message, as: UTF8.self), default: 0] += 1
        }
        return result
    }

    private func untilAllAnswer(_ channel: Channel, _ count: Int) async throws {
        // A connection that is still being made is left out of the turns.
        while try await answers(channel, count).count < count {}
    }

    func testCallsGoRoundOverAddresses() async throws {
        let (servers, ports) = try startNamed(["a", "b", "c"])
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let channel = try Channel(address: GRPCAddress(addr: "grpc://\(hosts)"))
        try await untilAllAnswer(channel, 3)
        let counts = try await answers(channel, 9)
        XCTAssertEqual(counts, ["a": 3, "b": 3, "c": 3])
        servers.forEach { $0.kill() }
    }

    func testCallsGoRoundOverNames() async throws {
        let (servers, ports) = try startNamed(["a", "b"])
        let address = try GRPCAddress(addr: "grpc://localhost:\(ports[0]),127.0.0.1:\(ports[1])")
        let channel = try Channel(address: address)
        XCTAssertEqual(channel.connectivityState(), .idle)
        try await untilAllAnswer(channel, 2)
        let counts = try await answers(channel, 4)
        XCTAssertEqual(counts, ["a": 2, "b": 2])
        servers.forEach { $0.kill() }
    }

    func testADeadHostIsLeftOut() async throws {
        let (servers, ports) = try startNamed(["a", "b"])
        let closed = try closedPort()
        let address = try GRPCAddress(addr: "grpc://localhost:\(closed),localhost:\(ports[0]),localhost:\(ports[1])")
        let channel = try Channel(address: address)
        try await untilAllAnswer(channel, 2)
        let counts = try await answers(channel, 4)
        XCTAssertEqual(counts.values.reduce(0, +), 4)
        servers.forEach { $0.kill() }
    }

    func testNamesThatCannotBeFound() async throws {
        let channel = try Channel(address: GRPCAddress(addr: "grpc://bad..one:1,bad..two:2"))
        let unary = await status { try await channel.unary(path: "/t/Name", request: []) }
        XCTAssertEqual(unary?.code, .unavailable)
        XCTAssertEqual(unary?.message?.contains("bad.."), true, unary?.message ?? "")
        XCTAssertEqual(unary?.message?.contains("grpc://bad..one:1,bad..two:2"), true, unary?.message ?? "")
        let ready = await status { try await channel.waitUntilReady() }
        XCTAssertEqual(ready?.code, .unavailable)
        XCTAssertEqual(channel.connectivityState(), .transientFailure)
        let late = await status {
            try await channel.unary(
                path: "/t/Name", request: [], options: CallOptions(timeout: .milliseconds(50), waitForReady: true))
        }
        XCTAssertEqual(late?.code, .deadlineExceeded)
    }

    func testCancellingACallThatWaitsForNames() async throws {
        let channel = try Channel(address: GRPCAddress(addr: "grpc://bad..one:1,bad..two:2"))
        let recorder = Recorder()
        let call = try BidirectionalCall(
            channel: channel, path: "/t/Name", options: CallOptions(waitForReady: true)
        ) { recorder.handle($0) }
        XCTAssertEqual(call.send([1]), .sent)
        call.cancel()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .cancelled)
        XCTAssertEqual(recorder.endCount, 1)
    }

    func testClosingAChannelThatWaitsForNames() async throws {
        let channel = try Channel(address: GRPCAddress(addr: "grpc://bad..one:1,bad..two:2"))
        let recorder = Recorder()
        let call = try BidirectionalCall(
            channel: channel, path: "/t/Name", options: CallOptions(waitForReady: true)
        ) { recorder.handle($0) }
        channel.close()
        let end = await recorder.end()
        XCTAssertEqual(end.code, .unavailable)
        XCTAssertEqual(call.send([1]), .closed)
        XCTAssertEqual(channel.connectivityState(), .shutdown)
    }
}
