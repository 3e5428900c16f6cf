import Foundation
import Speechly

/// `speechly listen`: the microphone in, segments out.
struct Listen: Command {
    private static let device = Option(
        "device", .value("NAME"), environment: "SPEECHLY_DEVICE",
        help: "the ALSA device to listen to, as 'speechly devices' lists them; 'default' unless given")
    private static let channel = Option(
        "channel", .value("N"), help: "listen to this channel of the device only, counted from 0; else to their mean")
    private static let json = Option("json", .flag, help: "print one JSON object for each event")
    private static let partial = Option("partial", .flag, help: "print segments while they are still changing, too")
    private static let vad = Option(
        "vad", .flag, help: "send only speech, as the voice activity detector hears it, in a context for each piece")

    static let syntax = CommandSyntax(
        words: ["listen"],
        summary: "listen to the microphone and print what was said and meant",
        details: """
            Streams the microphone to the service and prints segments as 'intent: words [spoken](entity) words' \
            ('[spoken|value](entity)' where the value is another than what was said). On a terminal the last line \
            shows how loud the microphone is. Without an address the embedded service is used, with the \
            configuration given by --config, or with open vocabulary; it takes what was said as final after a pause \
            of 720 ms, or as long as --pause or the configuration says. Ctrl-C ends: what was said until half a \
            second later is still heard, and all results are printed. A second Ctrl-C ends at once, without them.
            """,
        operands: .none,
        options: ServiceOptions.all + [
            ConnectionOptions.language, ConnectionOptions.timeout, ConnectionOptions.pause,
        ] + ConnectionOptions.tls + [ConnectionOptions.plaintextToken, device, channel, json, partial, vad])

    /// Someone who speaks on and on wants results on the way.
    private static let standardPause = Duration.milliseconds(720)

    let connection: ConnectionOptions
    let json: Bool
    let partial: Bool
    let vad: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        var connection = try ConnectionOptions(arguments, target: ServiceOptions.target(arguments))
        if case .remote(let service) = connection.target, service.projectId != nil, service.appId == nil {
            throw UsageError("--app-id", "needed: which of the project's applications is to listen")
        }
        if let name = arguments.value(Self.device) {
            guard !name.isEmpty else { throw UsageError(Self.device.spelling, "a device has a name") }
            connection.configuration.device = name
        }
        if let text = arguments.value(Self.channel) {
            guard let number = Int(text), (0..<32).contains(number) else {
                throw UsageError(Self.channel.spelling, "'\(text)' is not a number from 0 to 31")
            }
            connection.configuration.channelSelection = .channel(number)
        }
        self.connection = connection
        json = arguments.has(Self.json)
        partial = arguments.has(Self.partial)
        vad = arguments.has(Self.vad)
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        let client = try connection.makeClient(pause: Self.standardPause)
        return try await closing(client) { () throws(CommandFailure) in try await run(client, output, error) }
    }

    private func run(
        _ client: Client, _ output: StandardStream, _ error: StandardStream
    ) async throws(CommandFailure) -> ExitStatus {
        let device = connection.configuration.device
        let columns = StatusLine.columns(of: output, environment: ProcessInfo.processInfo.environment)
        let showsMeter = columns != nil && !json
        let format: any TranscriptFormat =
            json
            ? JSONTranscript(device: device, showsPartial: partial)
            : ListenTranscript(showsPartial: partial, columns: columns)
        let session = ListenSession(
            client: client, appId: connection.startAppId, options: connection.contextOptions, device: device,
            usesDetector: vad, showsMeter: showsMeter,
            output: output, error: error)
        let handler = SignalHandler(SignalHandler.endings, moment: SignalHandler.moment) { _ in session.stop() }
        defer { withExtendedLifetime(handler) {} }
        return try await session.run(format)
    }
}
