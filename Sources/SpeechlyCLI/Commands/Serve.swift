import Foundation
import Speechly
import SpeechlyService

/// `speechly serve`: the embedded service as a server of its own.
struct Serve: Command {
    private enum Event: Sendable { case tick, reload, stop }

    private static let apps = Option(
        "apps", .value("DIR"),
        help: "serve the applications in this folder, each with its own configuration: UUID.sal, UUID.yaml, or "
            + "UUID/config.yaml; those of a project are in a folder of its UUID")
    private static let watch = Option("watch", .flag, help: "reload when a configuration changes on disk, as on SIGHUP")
    private static let app = Option(
        "app-id", .list("UUID"),
        help: "let only this application log in, and no project unless --project-id names one; any unless given or "
            + "--apps says which")
    private static let project = Option(
        "project-id", .list("UUID"), help: "let only this project log in; any unless given or --apps has projects")

    static let syntax = CommandSyntax(
        words: ["serve"],
        summary: "run the service for clients on this machine",
        details: """
            Answers logins, speech, text and batches as the Speechly API does, so that any Speechly client can use it. \
            Prints 'listening on ADDR' for each address once it is ready. SIGTERM and SIGINT let running calls end, \
            then it exits with status 0; a second one ends it at once. SIGHUP reads the configuration again; running contexts go on, and what has \
            errors stays as it was. Only this machine can connect, unless an address says otherwise.
            """,
        operands: Operands(
            name: "CONFIG", count: 0...1,
            help: "what can be said: a file of SAL, a .yaml file or a folder with a config.yaml; "
                + "without it any words are heard and nothing is understood"),
        options: [apps, watch, app, project] + ServeOptions.all)

    let config: String?
    let folder: String?
    let watches: Bool
    let appIds: Set<UUID>?
    let projectIds: Set<UUID>?
    let options: ServeOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        config = arguments.operands.first
        folder = arguments.value(Self.apps)
        watches = arguments.has(Self.watch)
        if config != nil, folder != nil {
            throw UsageError(Self.apps.spelling, "give either a configuration or a folder of applications, not both")
        }
        appIds = try Self.ids(Self.app, arguments)
        // A project's token would do for any of its applications.
        projectIds = try Self.ids(Self.project, arguments) ?? (appIds == nil ? nil : [])
        if folder != nil, appIds != nil {
            throw UsageError(Self.app.spelling, "the folder of \(Self.apps.spelling) says which applications there are")
        }
        options = try ServeOptions(arguments)
    }

    private static func ids(_ option: Option, _ arguments: ParsedArguments) throws(UsageError) -> Set<UUID>? {
        var ids: Set<UUID> = []
        for text in arguments.list(option) { ids.insert(try ServiceOptions.uuid(text, origin: option.spelling)) }
        return ids.isEmpty ? nil : ids
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        // Signals that come while the service starts are kept until it has started.
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let handlers = [
            SignalHandler([SIGTERM, SIGINT]) { _ in continuation.yield(.stop) },
            SignalHandler([SIGHUP], once: false) { _ in continuation.yield(.reload) },
        ]
        let writer = LogWriter(error)
        defer { writer.flush() }
        // Taken before anything is read, so that a change meanwhile is not missed.
        var fingerprint = fingerprint
        var served = try ServedConfiguration(file: config, folder: folder, appIds: appIds, projectIds: projectIds)
        var configuration = try served.configuration()
        configuration.log = writer.log(level: options.logLevel)
        try options.apply(to: &configuration)
        let (service, bound) = try start(configuration)
        let metrics = try options.metricsPort.map { port throws(CommandFailure) in try startMetrics(port, service) }
        for address in bound { try output.writeLine("listening on \(address)") }
        if let metrics { try output.writeLine("metrics on http://127.0.0.1:\(metrics.port)/metrics") }
        let watcher = watches ? Self.ticks { continuation.yield(.tick) } : nil
        loop: for await event in events {
            switch event {
            case .stop: break loop
            case .tick:
                let current = self.fingerprint
                if current == fingerprint { continue }
                fingerprint = current
                served.reload(service)
            case .reload:
                fingerprint = self.fingerprint
                served.reload(service)
            }
        }
        watcher?.cancel()
        await service.shutdown(grace: options.grace)
        metrics?.stop()
        withExtendedLifetime(handlers) {}
        return .done
    }

    /// Tells whether something has changed on disk.
    private var fingerprint: String {
        watches ? ServedConfiguration.fingerprint(file: config, folder: folder) : ""
    }

    private func start(
        _ configuration: ServiceConfiguration
    ) throws(CommandFailure) -> (EmbeddedService, [GRPCAddress]) {
        let settings = try options.settings()
        do {
            let service = try EmbeddedService(configuration: configuration)
            let bound = try service.start(
                listen: options.addresses, settings: settings, allowsPlaintext: options.allowsPlaintext)
            return (service, bound)
        } catch let status as GRPCStatus {
            throw CommandFailure("", status.message ?? status.description)
        } catch {
            throw CommandFailure("cannot start the service", String(describing: error))
        }
    }

    private func startMetrics(_ port: Int, _ service: EmbeddedService) throws(CommandFailure) -> MetricsEndpoint {
        do throws(MetricsEndpointError) {
            return try MetricsEndpoint(port: port) { [weak service] in service?.metrics ?? "" }
        } catch {
            throw CommandFailure("", error.description)
        }
    }

    /// Calls back once a second until it is cancelled.
    private static func ticks(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { body() }
        }
    }
}
