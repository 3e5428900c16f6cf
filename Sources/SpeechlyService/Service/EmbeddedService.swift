import Foundation
import Speechly
import SpeechlySync

/// A service that any Speechly client can talk to: Identity, SLU, WLU and Batch over gRPC, with speech
/// recognised on this machine, and gRPC's health service beside them.
///
/// It is ready to use without a network, an account or environment variables:
///
/// ```swift
/// let configuration = try ServiceConfiguration(contentsOfFile: "app.sal")
/// let service = try EmbeddedService(configuration: configuration)
/// let addresses = try service.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0")])
/// ```
///
/// Its tokens are signed with ``ServiceConfiguration/tokenKey``.
/// The transport it stands on is not hardened against hostile peers: listen on loopback or a Unix
/// socket, or behind a current proxy. Dropping the last reference kills the service.
public final class EmbeddedService: Sendable {
    private enum State {
        case new
        case running([Server])
        case stopped
    }

    /// Longest text to understand, in bytes.
    package static let maximumTextBytes = 100_000

    /// What the service was made with.
    public let configuration: ServiceConfiguration

    let identity: IdentityService
    let wlu: WLUService
    let batch: BatchService
    let health = HealthService(services: EmbeddedService.serviceNames)
    let environment: SLUEnvironment
    let streams: StreamRegistry
    private let state = Locked(State.new)
    private let started = Date()

    /// Prepares a service; it listens nowhere yet.
    ///
    /// Prepares what the recognisers share, which takes some tens of milliseconds.
    /// - Throws: ``RecognizerError`` if speech cannot be recognised on this machine or in this language.
    public convenience init(configuration: ServiceConfiguration = .init()) throws {
        try self.init(configuration: configuration, authority: TokenAuthority(configuration.tokenKey))
    }

    init(
        configuration: ServiceConfiguration, authority: TokenAuthority,
        adjust: (inout SLUEnvironment) -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        streams = StreamRegistry(
            limit: configuration.maximumStreams, limitPerClient: configuration.maximumStreamsPerClient)
        let catalog = ApplicationCatalog(try ApplicationDirectory(configuration))
        var environment = SLUEnvironment(
            catalog: catalog, pool: RecognizerPool(limit: configuration.maximumRecognizers),
            workers: WorkerThreads(count: configuration.decodingThreads))
        environment.monitor.log = configuration.log
        adjust(&environment)
        self.environment = environment
        identity = IdentityService(authority: authority, catalog: catalog, monitor: environment.monitor)
        wlu = WLUService(catalog: catalog)
        batch = BatchService(
            environment: environment, maximumBytes: configuration.maximumBatchBytes,
            maximumJobs: configuration.maximumBatchJobs, parallel: configuration.decodingThreads / 2)
    }

    deinit { kill() }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - addresses: where. Port 0 takes a free port; `grpc+unix:///path` listens on a Unix socket.
    ///   - settings: the transport's settings, for example the certificate that `grpc+tls://` needs.
    ///   - allowsPlaintext: whether an address that other machines reach may do without TLS, because
    ///     something else protects it.
    /// - Returns: the addresses with their real ports, in the same order.
    /// - Throws: `GRPCStatus` if it cannot or may not listen on one of them (it then listens on none), or
    ///   if it was started before.
    @discardableResult
    public func start(
        listen addresses: [GRPCAddress], settings: Server.Configuration = .init(), allowsPlaintext: Bool = false
    ) throws -> [GRPCAddress] {
        for address in addresses where !address.secure && !address.isLocal && !allowsPlaintext {
            throw GRPCStatus(
                code: .invalidArgument,
                message: "\(address): other machines would reach it in plaintext; use TLS (grpc+tls://), loopback or a "
                    + "Unix socket, or allow plaintext if something else protects it")
        }
        return try state.withLock { state in
            guard case .new = state else { throw GRPCStatus.precondition("the service was started before") }
            var servers: [Server] = []
            do {
                let bound = try addresses.map { address in
                    var settings = settings
                    if !address.secure { settings.tls = nil }
                    let server = Server(address: address, configuration: settings)
                    register(on: server)
                    servers.append(server)
                    return try server.start()
                }
                state = .running(servers)
                warmUp()
                for address in bound {
                    environment.monitor.log.write(.info, "listening", [("address", .text("\(address)"))])
                }
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
        environment.monitor.log.write(.info, "draining", [("streams", .number(Double(streams.count)))])
        health.stop()
        streams.drain()
        await withTaskGroup(of: Void.self) { group in
            for server in takeServers() {
                group.addTask { await server.shutdown(grace: grace) }
            }
        }
        batch.stop()
        environment.monitor.log.write(.info, "stopped")
    }

    /// Stops at once. Does not wait.
    public func kill() {
        for server in takeServers() { server.kill() }
        health.stop()
        batch.stop()
    }

    // MARK: While it runs

    /// Puts other applications in place of the present ones; everything else of the configuration stays.
    ///
    /// Contexts that run keep what they were started with. A token stays good as long as its application is
    /// there. If this throws, nothing has changed. Prepares what recognisers share, which takes some tens of
    /// milliseconds for each application that is new or changed.
    /// - Parameter configuration: the new applications, projects, SAL and language.
    /// - Throws: ``RecognizerError`` if speech cannot be recognised in a language of theirs,
    ///   ``ServiceConfigurationError`` if two have the same id.
    public func reload(_ configuration: ServiceConfiguration) throws {
        let monitor = environment.monitor
        do {
            let directory = try ApplicationDirectory(configuration, reusing: environment.catalog.current)
            for application in environment.catalog.replace(directory) {
                environment.pool.retire(application.recognizers)
            }
        } catch {
            monitor.count(.reloads, label: "failed")
            monitor.log.write(.error, "reload_failed", [("reason", .text(String(describing: error)))])
            throw error
        }
        monitor.count(.reloads, label: "done")
        monitor.log.write(
            .info, "reloaded", [("applications", .number(Double(configuration.applications.count)))])
        warmUp()
    }

    /// Logs and counts a reload that failed before ``reload(_:)``, because the configuration has errors: what
    /// is served stays.
    /// - Parameter reason: what is wrong, and where.
    public func reportReloadFailure(_ reason: String) {
        environment.monitor.count(.reloads, label: "failed")
        environment.monitor.log.write(.error, "reload_failed", [("reason", .text(reason))])
    }

    /// Counters and gauges in Prometheus' text format.
    public var metrics: String {
        let recognizers = environment.pool.counts
        return environment.monitor.metrics.text([
            .init(
                name: "speechly_start_time_seconds", help: "When the service was made, in seconds since 1970.",
                value: started.timeIntervalSince1970.rounded()),
            .init(
                name: "speechly_applications", help: "Applications with a configuration of their own.",
                value: Double(environment.catalog.current.applications.count)),
            .init(name: "speechly_streams_open", help: "SLU streams that are open.", value: Double(streams.count)),
            .init(
                name: "speechly_recognizers_in_use", help: "Recognisers that hear audio.",
                value: Double(recognizers.lent)),
            .init(
                name: "speechly_recognizers_awaited", help: "Contexts and jobs that wait for a recogniser.",
                value: Double(recognizers.waiting)),
            .init(
                name: "speechly_batch_jobs_unfinished", help: "Batch jobs that wait or run.",
                value: Double(batch.unfinished)),
        ])
    }

    /// One recogniser is made ahead for the first context of a service for one application.
    private func warmUp() {
        let applications = environment.catalog.current.all
        guard applications.count == 1, let only = applications.first else { return }
        environment.workers.run { [pool = environment.pool] in pool.warmUp(only.recognizers) }
    }

    private func takeServers() -> [Server] {
        state.withLock { state in
            defer { state = .stopped }
            if case .running(let servers) = state { return servers }
            return []
        }
    }
}
