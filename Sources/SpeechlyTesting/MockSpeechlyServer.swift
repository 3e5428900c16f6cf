import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// A Speechly service for tests: answers logins, streams and texts as a script says, records all it
/// receives, and breaks connections on demand.
///
/// ```swift
/// let server = try MockSpeechlyServer(streams: [.hears("turn on the lights", intent: "turn_on")])
/// // … point a client at server.address, start and stop a context …
/// let received = try await server.received("the stop") { $0.contexts.first?.isStopped == true }
/// assert(received.contexts[0].option("timezone") == ["Europe/Helsinki"])
/// ```
///
/// Each login, stream and text takes the next script given for its kind; when those are used up, it takes
/// a default that behaves well. Everything is safe to call from any thread. The server stops when it is
/// released.
public final class MockSpeechlyServer: Sendable {
    private struct Scripts {
        var logins: [LoginScript]
        var streams: [StreamScript]
        var texts: [TextScript]
        var contexts = 0
        var open: [MockStream] = []
    }

    /// Where clients find the server, with the real port.
    public let address: GRPCAddress

    private let recorder = Recorder()
    private let scripts: Locked<Scripts>
    private let server: Server
    private let relay: Relay
    private let directory: String
    private let clock: any Clock<Duration>
    private let isStrict: Bool
    private let defaultStream: StreamScript

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - address: Where to listen: a numeric host, with port 0 for a free one (`grpc://127.0.0.1:0` unless
    ///     given), or a Unix socket.
    ///   - logins: Scripts of the first logins.
    ///   - streams: Scripts of the first streams.
    ///   - texts: Scripts of the first texts.
    ///   - defaultStream: The script of every stream beyond those.
    ///   - tls: The server's certificate, for `grpc+tls` on a numeric host; `nil` for plain text.
    ///   - isStrict: Whether a stream that breaks the protocol's rules is ended with `FAILED_PRECONDITION`
    ///     (or `PERMISSION_DENIED`, for one that comes without a bearer token), as a real service does.
    ///   - clock: What delays are measured by; a ``ManualClock`` makes them end when the test says so.
    /// - Throws: ``MockServerError``, or the transport's `GRPCStatus`.
    public init(
        address: GRPCAddress = GRPCAddress(host: "127.0.0.1", port: 0, secure: false),
        logins: [LoginScript] = [], streams: [StreamScript] = [], texts: [TextScript] = [],
        defaultStream: StreamScript = StreamScript(), tls: ServerTLS? = nil,
        isStrict: Bool = true, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.isStrict = isStrict
        self.defaultStream = defaultStream
        self.clock = clock
        scripts = Locked(Scripts(logins: logins, streams: streams, texts: texts))
        directory = try makePrivateDirectory()
        // Clients reach the server through the relay alone.
        if let tls {
            // libgrpc's Unix sockets know no TLS.
            server = Server(
                address: GRPCAddress(host: "127.0.0.1", port: 0, secure: true), configuration: .init(tls: tls))
            let upstream = GRPCAddress(host: "127.0.0.1", port: try server.start().port, secure: false)
            relay = try Relay(listen: address, upstream: upstream)
            self.address = GRPCAddress(host: relay.address.host, port: relay.address.port, secure: true)
            registerHandlers()
        } else {
            let upstream = try GRPCAddress(unixPath: directory + "/server")
            server = Server(address: upstream)
            relay = try Relay(listen: address, upstream: upstream)
            self.address = relay.address
            registerHandlers()
            try server.start()
        }
    }

    deinit {
        stop()
    }

    /// Breaks every connection and stops. What was received stays readable.
    public func stop() {
        relay.perform(.shutDown)
        server.kill()
        DisappearingFolder.remove(directory)
    }

    // MARK: Scripts

    /// Adds a script for the first login that has none yet.
    public func scriptLogin(_ script: LoginScript) { scripts.withLock { $0.logins.append(script) } }

    /// Adds a script for the first stream that has none yet.
    public func scriptStream(_ script: StreamScript) { scripts.withLock { $0.streams.append(script) } }

    /// Adds a script for the first text that has none yet.
    public func scriptText(_ script: TextScript) { scripts.withLock { $0.texts.append(script) } }

    /// Sets off the actions of ``StreamScript/Trigger/demand(_:)`` with this name on every open stream.
    public func trigger(_ name: String) {
        scripts.withLock { $0.open }.forEach { $0.trigger(.demand(name)) }
    }

    // MARK: Faults of the network

    /// Breaks every connection at once; clients see a reset. New ones are taken.
    public func dropConnections() { relay.perform(.dropConnections) }

    /// From now on refuses connections, and takes them again. Open ones stay.
    public func setAcceptsConnections(_ accepts: Bool) { relay.perform(.setAccepting(accepts)) }

    /// From now on passes no byte on in either direction, and passes them on again. Connections stay open,
    /// and new ones are taken: nothing is ever said on them.
    public func setStalled(_ stalled: Bool) { relay.perform(.setStalled(stalled)) }

    // MARK: Record

    /// When each connection was taken, by whichever client.
    package var connectionTimes: [ContinuousClock.Instant] { relay.connections.withLock { $0 } }

    /// Lets go of what streams that are over have said, for measurements that would measure the record otherwise.
    package func forgetEndedStreams() {
        relay.connections.withLock { $0.removeAll() }
        recorder.update { received in
            for index in received.streams.indices where received.streams[index].isEnded {
                received.streams[index].metadata = Metadata()
                received.streams[index].config = nil
                received.streams[index].contexts = []
                received.streams[index].messages = []
            }
        }
    }

    /// All that has been received up to now.
    public var received: Received { recorder.received }

    /// Waits until what has been received meets a condition.
    ///
    /// - Parameters:
    ///   - what: What is waited for, for the error's text.
    ///   - timeout: How long to wait.
    ///   - condition: Checked at once and after everything received; it must not call the server.
    /// - Returns: What had been received when the condition was met.
    /// - Throws: ``MockTimeout``, or `CancellationError` when the task is cancelled.
    @discardableResult
    public func received(
        _ what: String, timeout: Duration = .seconds(20), _ condition: @escaping @Sendable (Received) -> Bool
    ) async throws -> Received {
        try await recorder.wait(for: what, timeout: timeout, until: condition)
    }
}

extension MockSpeechlyServer {
    // The handlers must not keep the server alive: it stops when it is released.
    private func registerHandlers() {
        server.registerUnary("/speechly.identity.v2.IdentityAPI/Login") { [weak self] context, bytes in
            guard let self else { throw GRPCStatus(code: .unavailable) }
            return try await self.logIn(context.metadata, bytes)
        }
        server.registerUnary("/speechly.slu.v1.WLU/Text") { [weak self] context, bytes in
            guard let self else { throw GRPCStatus(code: .unavailable) }
            let request: WLURequest = try decoded(bytes)
            return try self.answer(request, appId: "", context.metadata).serializedBytes()
        }
        server.registerUnary("/speechly.slu.v1.WLU/Texts") { [weak self] context, bytes in
            guard let self else { throw GRPCStatus(code: .unavailable) }
            let request: TextsRequest = try decoded(bytes)
            let responses = try request.requests.map {
                try self.answer($0, appId: request.appId, context.metadata)
            }
            return TextsResponse(responses: responses).serializedBytes()
        }
        server.registerBidirectional(
            "/speechly.slu.v1.SLU/Stream",
            events: { [weak self] (call: ServerCall) in
                guard let self else {
                    call.finish(GRPCStatus(code: .unavailable))
                    return { _ in }
                }
                return self.open(call)
            })
    }

    private func logIn(_ metadata: Metadata, _ bytes: [UInt8]) async throws -> [UInt8] {
        let request: LoginRequest = try decoded(bytes)
        recorder.update { $0.logins.append(Received.Login(request: request, metadata: metadata)) }
        let script = scripts.withLock { $0.logins.isEmpty ? .token() : $0.logins.removeFirst() }
        if script.delay > .zero { try await clock.sleep(for: script.delay) }
        switch script.reply {
        case .token(let lifetime): return tokenResponse(request, lifetime: lifetime).serializedBytes()
        case .response(let response): return response.serializedBytes()
        case .bytes(let bytes): return bytes
        case .status(let status): throw status
        case .silence:
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
            throw CancellationError()
        }
    }

    private func tokenResponse(_ request: LoginRequest, lifetime: TimeInterval) -> LoginResponse {
        var appId: String?
        var projectId: String?
        switch request.scope {
        case .application(let scope): appId = scope.appId
        case .project(let scope): projectId = scope.projectId
        case nil: break
        }
        let now = Date()
        let expiry = now.addingTimeInterval(lifetime)
        return LoginResponse(
            token: MockToken.make(
                appId: appId, projectId: projectId, deviceId: request.deviceId, issuedAt: now, lifetime: lifetime),
            validForS: UInt32(max(0, lifetime)),
            expiresAtEpoch: UInt64(max(0, expiry.timeIntervalSince1970)),
            expiresAt: expiry.formatted(.iso8601).replacingOccurrences(of: "Z", with: "+00:00"))
    }

    private func answer(_ request: WLURequest, appId: String, _ metadata: Metadata) throws -> WLUResponse {
        recorder.update { $0.texts.append(Received.Text(request: request, appId: appId, metadata: metadata)) }
        guard !isStrict || bearerToken(metadata) != nil else { throw tokenMissing }
        return try scripts.withLock { $0.texts.isEmpty ? TextScript.echo : $0.texts.removeFirst() }.answer(request)
    }

    private func open(_ call: ServerCall) -> @Sendable (ServerCall.Event) -> Void {
        let metadata = call.context.metadata
        let index = recorder.update { received in
            received.streams.append(Received.Stream(metadata: metadata))
            return received.streams.count - 1
        }
        var script = scripts.withLock { $0.streams.isEmpty ? defaultStream : $0.streams.removeFirst() }
        if isStrict, bearerToken(metadata) == nil {
            script = StreamScript(automatic: false).on(.opened, .end(tokenMissing))
        }
        let stream = MockStream(
            call: call, index: index, script: script,
            server: MockStream.Server(
                recorder: recorder, relay: relay, clock: clock, isStrict: isStrict,
                makeContextId: { [scripts] in
                    scripts.withLock { scripts in
                        scripts.contexts += 1
                        return String(format: "00000000-0000-4000-8000-%012x", scripts.contexts)
                    }
                }))
        scripts.withLock { $0.open.append(stream) }
        stream.trigger(.opened)
        return { [scripts] event in
            stream.handle(event)
            if case .ended = event { scripts.withLock { $0.open.removeAll { $0 === stream } } }
        }
    }
}

private let tokenMissing = GRPCStatus(code: .permissionDenied, message: "no bearer token")

private func decoded<Message: ProtoMessage>(_ bytes: [UInt8]) throws(GRPCStatus) -> Message {
    do {
        return try Message(serializedBytes: bytes)
    } catch {
        throw GRPCStatus(code: .internal, message: "not a \(Message.messageName): \(error)")
    }
}

private func makePrivateDirectory() throws(MockServerError) -> String {
    var template = Array((NSTemporaryDirectory() + "/speechly-mock-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("mkdtemp", errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
