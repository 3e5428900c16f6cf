import Foundation
import SpeechlyGRPC
import SpeechlySync
import XCTest

/// Names of the test service's methods.
enum Method {
    static let echo = "/test.Echo/Unary"
    static let stream = "/test.Echo/Stream"
    static let events = "/test.Echo/Events"
    static let status = "/test.Echo/Status"
    static let sleep = "/test.Echo/Sleep"
    static let sizes = "/test.Echo/Sizes"
    static let silent = "/test.Echo/Silent"
}

extension GRPCAddress {
    static let anyPort = GRPCAddress(host: "127.0.0.1", port: 0, secure: false)
}

/// A server with the test service, on a free port.
func startEchoServer(
    _ address: GRPCAddress = .anyPort, _ configuration: Server.Configuration = .init()
) throws -> (Server, GRPCAddress) {
    let server = Server(address: address, configuration: configuration)
    server.registerUnary(Method.echo) { _, request in request }
    server.registerUnary(Method.sleep) { _, _ in
        try await Task.sleep(for: .seconds(60))
        return []
    }
    server.registerUnary(Method.status) { _, request in
        throw GRPCStatus(code: .unknown, message: String(decoding: request, as: UTF8.self))
    }
    server.registerBidirectional(Method.stream) { stream in
        if let text = stream.context.metadata["x-grpc-test-echo-initial"] {
            try stream.setInitialMetadata(["x-grpc-test-echo-initial": text])
        }
        if let bytes = stream.context.metadata.binary("x-grpc-test-echo-trailing-bin") {
            var trailing = Metadata()
            trailing.append(bytes, forKey: "x-grpc-test-echo-trailing-bin")
            stream.setTrailingMetadata(trailing)
        }
        for try await message in stream.messages { try await stream.send(message) }
    }
    // A request of four bytes is answered with as many bytes as it says, big-endian.
    server.registerBidirectional(Method.sizes) { stream in
        for try await message in stream.messages {
            let size = message.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            try await stream.send([UInt8](repeating: 0, count: size))
        }
    }
    server.registerBidirectional(Method.events) { call in
        { event in
            switch event {
            case .message(let bytes): _ = call.send(bytes, urgent: true)
            case .halfClosed: call.finish()
            case .writable, .ended: break
            }
        }
    }
    // Reads nothing.
    server.registerBidirectional(Method.silent) { call in
        call.pauseReading()
        return { _ in }
    }
    return (server, try server.start())
}

/// Collects a call's events for a test to await.
final class Recorder: Sendable {
    private struct State {
        var initialMetadata: Metadata?
        var messages: [[UInt8]] = []
        var writable = 0
        var ends: [GRPCStatus] = []
        var eventsAfterEnd = 0
        var waiters: [Int: (isDone: (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = [:]
        var waited = 0
    }

    private let state = Locked(State())

    func handle(_ event: BidirectionalCall.Event) {
        let ready = state.withLock { state in
            if !state.ends.isEmpty { state.eventsAfterEnd += 1 }
            switch event {
            case .initialMetadata(let metadata): state.initialMetadata = metadata
            case .message(let bytes): state.messages.append([UInt8](bytes))
            case .writable: state.writable += 1
            case .end(let status): state.ends.append(status)
            }
            let ready = state.waiters.filter { $0.value.isDone(state) }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits, but not for ever: what does not come within a minute fails the test.
    private func wait(for what: String, _ isDone: @escaping @Sendable (State) -> Bool) async {
        let id = state.withLock { state in
            state.waited += 1
            return state.waited
        }
        // A cancelled sleep is kept until its time; a cancelled timer is gone.
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [self] in
            guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { return }
            XCTFail("waited a minute for \(what)")
            waiter.continuation.resume()
        }
        timer.schedule(deadline: .now() + 60)
        timer.activate()
        defer { timer.cancel() }
        await withCheckedContinuation { continuation in
            let now = state.withLock { state in
                if isDone(state) { return true }
                state.waiters[id] = (isDone, continuation)
                return false
            }
            if now { continuation.resume() }
        }
    }

    /// The status, once the call has ended.
    func end() async -> GRPCStatus {
        await wait(for: "the end") { !$0.ends.isEmpty }
        return state.withLock { $0.ends.first } ?? GRPCStatus(code: .unknown, message: "the call has not ended")
    }

    /// All messages, once there are as many.
    func messages(_ count: Int) async -> [[UInt8]] {
        await wait(for: "\(count) messages") { $0.messages.count >= count || !$0.ends.isEmpty }
        return state.withLock { $0.messages }
    }

    func writable() async { await wait(for: "room") { $0.writable > 0 || !$0.ends.isEmpty } }

    var initialMetadata: Metadata? { state.withLock { $0.initialMetadata } }
    var received: [[UInt8]] { state.withLock { $0.messages } }
    var writableCount: Int { state.withLock { $0.writable } }
    var endCount: Int { state.withLock { $0.ends.count } }
    var eventsAfterEnd: Int { state.withLock { $0.eventsAfterEnd } }
}

/// The status that `body` throws.
func status(
    file: StaticString = #filePath, line: UInt = #line, _ body: () async throws -> some Any
) async -> GRPCStatus? {
    do {
        _ = try await body()
        XCTFail("no error was thrown", file: file, line: line)
        return nil
    } catch let status as GRPCStatus {
        return status
    } catch {
        XCTFail("not a status: \(error)", file: file, line: line)
        return nil
    }
}

/// A fresh directory with mode 0700, short enough for socket paths.
func makeTemporaryDirectory() throws -> String {
    var template = Array("/tmp/spg-XXXXXX".utf8CString)
    return try template.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress, let path = mkdtemp(base) else {
            throw GRPCStatus(code: .internal, message: String(cString: strerror(errno)))
        }
        return String(cString: path)
    }
}

/// A TCP port of 127.0.0.1 on which nobody listens.
func closedPort() throws -> Int {
    let listener = try RawListener()
    defer { listener.close() }
    return listener.port
}

/// A TCP socket that listens and does nothing else.
final class RawListener: Sendable {
    let descriptor: Int32
    let port: Int

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw GRPCStatus(code: .internal, message: String(cString: strerror(errno))) }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    var address: GRPCAddress { GRPCAddress(host: "127.0.0.1", port: port, secure: false) }

    func close() { Glibc.close(descriptor) }
}
