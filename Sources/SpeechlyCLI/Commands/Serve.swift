import Foundation
import Speechly
import SpeechlyService

/// `speechly serve`: the embedded service as a server of its own.
struct Serve: Command {
    private static let listen = Option(
        "listen", .list("ADDR"),
        help: "where to listen: grpc://host:port (port 0 takes a free one) or grpc+unix:///path; "
            + "grpc://127.0.0.1:0 unless given")
    private static let app = Option("app-id", .list("UUID"), help: "let only this application log in; any unless given")
    private static let grace = Option(
        "grace", .value("SECONDS"), help: "how long running calls may go on after SIGTERM; 10 unless given")

    static let syntax = CommandSyntax(
        words: ["serve"],
        summary: "run the service for clients on this machine",
        details: """
            Answers logins, speech and text as the Speechly API does, so that any Speechly client can use it. Prints \
            'listening on ADDR' for each address once it is ready. SIGTERM and SIGINT let running calls end, then it \
            exits with status 0. It speaks plaintext and is meant for loopback, a Unix socket, or a place behind a \
            proxy.
            """,
        operands: Operands(
            name: "CONFIG", count: 0...1,
            help: "what can be said: a file of SAL, a .yaml file or a folder with a config.yaml; "
                + "without it any words are heard and nothing is understood"),
        options: [listen, app, grace])

    let config: String?
    let addresses: [GRPCAddress]
    let appIds: Set<UUID>?
    let grace: Duration

    init(_ arguments: ParsedArguments) throws(UsageError) {
        config = arguments.operands.first
        var addresses: [GRPCAddress] = []
        for text in arguments.list(Self.listen) {
            let address = try ServiceOptions.address(text, origin: Self.listen.spelling)
            guard !address.secure else {
                throw UsageError(Self.listen.spelling, "'\(text)': the service speaks plaintext; write grpc://")
            }
            addresses.append(address)
        }
        self.addresses = addresses.isEmpty ? [GRPCAddress(host: "127.0.0.1", port: 0, secure: false)] : addresses
        var ids: Set<UUID> = []
        for text in arguments.list(Self.app) { ids.insert(try ServiceOptions.uuid(text, origin: Self.app.spelling)) }
        appIds = ids.isEmpty ? nil : ids
        if let text = arguments.value(Self.grace) {
            guard let seconds = Double(text), (0...86_400).contains(seconds) else {
                throw UsageError(Self.grace.spelling, "'\(text)' is not a number of seconds from 0 to 86400")
            }
            grace = .milliseconds(Int64(seconds * 1000))
        } else {
            grace = .seconds(10)
        }
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        var configuration = ServiceConfiguration()
        if let config { configuration = try SALFile.configuration(config) }
        configuration.appIds = appIds
        // A signal that comes while the service starts is kept until it has started.
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        let handler = SignalHandler([SIGTERM, SIGINT]) { continuation.yield($0) }
        let service: EmbeddedService
        let bound: [GRPCAddress]
        do {
            service = try EmbeddedService(configuration: configuration)
            bound = try service.start(listen: addresses)
        } catch let status as GRPCStatus {
            throw CommandFailure("", status.message ?? status.description)
        } catch {
            throw CommandFailure("cannot start the service", String(describing: error))
        }
        for address in bound { try output.writeLine("listening on \(address)") }
        for await _ in signals { break }
        await service.shutdown(grace: grace)
        withExtendedLifetime(handler) {}
        return .done
    }
}
