import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// A service that any Speechly client can talk to: Identity, SLU and WLU over gRPC, with speech
/// recognised on this machine.
///
/// It is ready to use without a network, an account or environment variables:
///
/// ```swift
/// let configuration = try ServiceConfiguration(contentsOfFile: "app.sal")
/// let service = try EmbeddedService(configuration: configuration)
/// let addresses = try service.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0")])
/// ```
///
/// Its tokens are signed with a random key of its own, so a restart asks clients to log in again.
/// The transport it stands on is not hardened against hostile peers: listen on loopback or a Unix
/// socket, or behind a current proxy. Dropping the last reference kills the service.
public final class EmbeddedService: Sendable {
    private enum State {
        case new
        case running([Server])
        case stopped
    }

    /// What the service was made with.
    public let configuration: ServiceConfiguration

    private let identity: IdentityService
    private let wlu: WLUService
    private let environment: SLUEnvironment
    private let state = Locked(State.new)
    private let streams: StreamRegistry

    /// Prepares a service; it listens nowhere yet.
    ///
    /// Prepares what the recognisers share, which takes some tens of milliseconds.
    /// - Throws: ``RecognizerError`` if speech cannot be recognised on this machine or in this language.
    public convenience init(configuration: ServiceConfiguration = .init()) throws {
        try self.init(configuration: configuration, authority: TokenAuthority())
    }

    init(
        configuration: ServiceConfiguration, authority: TokenAuthority,
        adjust: (inout SLUEnvironment) -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        streams = StreamRegistry(limit: configuration.maximumStreams)
        let applications = ApplicationDirectory(
            appIds: configuration.appIds, projectIds: configuration.projectIds, languageCode: configuration.languageCode
        )
        var interpreter = Interpreter(configuration: configuration.sal)
        interpreter.silenceTriggeredSegmentation = configuration.silenceTriggeredSegmentation.milliseconds
        let task = RecognitionTask(
            grammar: configuration.sal?.graph, vocabulary: (configuration.sal?.vocabulary ?? []).sorted(),
            languageCode: configuration.languageCode)
        identity = IdentityService(authority: authority, applications: applications)
        wlu = WLUService(interpreter: interpreter, applications: applications)
        var environment = SLUEnvironment(
            applications: applications, interpreter: interpreter,
            pool: RecognizerPool(
                limit: configuration.maximumRecognizers, make: try configuration.recognizer.prepare(task)),
            workers: WorkerThreads(count: configuration.decodingThreads))
        adjust(&environment)
        self.environment = environment
    }

    deinit { kill() }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - addresses: where. Port 0 takes a free port; `grpc+unix:///path` listens on a Unix socket.
    ///   - settings: the transport's settings, for example the certificate that `grpc+tls://` needs.
    /// - Returns: the addresses with their real ports, in the same order.
    /// - Throws: `GRPCStatus` if it cannot listen on one of them (it then listens on none), or if it
    ///   was started before.
    @discardableResult
    public func start(listen addresses: [GRPCAddress], settings: Server.Configuration = .init()) throws -> [GRPCAddress]
    {
        try state.withLock { state in
            guard case .new = state else { throw GRPCStatus.precondition("the service was started before") }
            var servers: [Server] = []
            do {
                let bound = try addresses.map { address in
                    let server = Server(address: address, configuration: settings)
                    register(on: server)
                    servers.append(server)
                    return try server.start()
                }
                state = .running(servers)
                environment.workers.run { [pool = environment.pool] in pool.warmUp() }
                return bound
            } catch {
                for server in servers { server.kill() }
                throw error
            }
        }
    }

    /// Stops: takes no new calls, lets the running ones end, and cancels those that have not after `grace`.
    ///
    /// A stream ends with `UNAVAILABLE` as soon as no context is open on it. Returns when all connections
    /// are closed.
    public func shutdown(grace: Duration) async {
        streams.drain()
        await withTaskGroup(of: Void.self) { group in
            for server in takeServers() {
                group.addTask { await server.shutdown(grace: grace) }
            }
        }
    }

    /// Stops at once. Does not wait.
    public func kill() {
        for server in takeServers() { server.kill() }
    }

    private func takeServers() -> [Server] {
        state.withLock { state in
            defer { state = .stopped }
            if case .running(let servers) = state { return servers }
            return []
        }
    }

    // MARK: Methods

    private func register(on server: Server) {
        server.registerUnary("/speechly.identity.v2.IdentityAPI/Login") { [identity] _, bytes in
            try identity.login(Self.read(bytes)).serializedBytes()
        }
        server.registerUnary("/speechly.slu.v1.WLU/Text") { [identity, wlu] context, bytes in
            let holder = try identity.authenticate(context.metadata)
            return try wlu.text(Self.read(bytes), holder: holder).serializedBytes()
        }
        server.registerUnary("/speechly.slu.v1.WLU/Texts") { [identity, wlu] context, bytes in
            let holder = try identity.authenticate(context.metadata)
            return try wlu.texts(Self.read(bytes), holder: holder).serializedBytes()
        }
        server.registerBidirectional("/speechly.slu.v1.SLU/Stream") { [identity, environment, streams] call in
            do throws(GRPCStatus) {
                let holder = try identity.authenticate(call.context.metadata)
                let stream = SLUStream(
                    transport: ServerCallTransport(call: call), holder: holder, environment: environment)
                let place = try streams.enter { [weak stream] in stream?.drain() }
                return { event in
                    switch event {
                    case .message(let bytes): stream.handle(.message(bytes))
                    case .halfClosed: stream.handle(.halfClosed)
                    case .writable: stream.handle(.writable)
                    case .ended:
                        stream.handle(.ended)
                        streams.leave(place)
                    }
                }
            } catch {
                call.finish(error)
                return { _ in }
            }
        }
    }

    private static func read<Message: ProtoMessage>(_ bytes: [UInt8]) throws(GRPCStatus) -> Message {
        do throws(ProtoError) {
            return try Message(serializedBytes: bytes)
        } catch {
            throw .invalid("the request cannot be read: \(error)")
        }
    }
}

/// A call of the transport as a stream's handler needs it.
private struct ServerCallTransport: StreamTransport {
    let call: ServerCall

    func send(_ message: [UInt8]) -> SendResult { call.send(message) }
    func finish(_ status: GRPCStatus) { call.finish(status) }
    func pauseReading() { call.pauseReading() }
    func resumeReading() { call.resumeReading() }
}

extension Duration {
    /// In whole milliseconds, from none to ten minutes.
    fileprivate var milliseconds: Int {
        let limited = min(max(self, .zero), .seconds(600))
        return Int(limited.components.seconds) * 1000 + Int(limited.components.attoseconds / 1_000_000_000_000_000)
    }
}
