import Foundation
import Speechly
import SpeechlySync

/// `speechly transcribe`: audio files in, segments out.
struct Transcribe: Command {
    private static let json = Option("json", .flag, help: "print one JSON object for each event")
    private static let partial = Option("partial", .flag, help: "print segments while they are still changing, too")
    private static let realtime = Option("realtime", .flag, help: "send the audio no faster than it was spoken")

    private static let report = Option(
        "report", .flag, help: "print how fast it was at the end, in percentiles over the files")

    static let syntax = CommandSyntax(
        words: ["transcribe"],
        summary: "stream audio files and print what was said and meant",
        details: """
            Streams each file to the service and prints its segments as 'intent: words [spoken](entity) words' \
            ('[spoken|value](entity)' where the value is another than what was said). Reads WAV, FLAC, Ogg, AIFF, \
            AU, CAF and MP3, of 1000 to 768000 Hz. A WAV that ends early, as an interrupted recording does, is heard \
            as far as it goes, with a warning; a FLAC that ends early is refused. Without an address the embedded \
            service is used, with the configuration given by --config, or with open vocabulary. Ctrl-C ends the file \
            early; what was heard until then is still printed. A second Ctrl-C ends at once.
            """,
        operands: Operands(name: "FILE", count: 1...Int.max, help: "an audio file; '-' is WAV on standard input"),
        options: ServiceOptions.all + [
            ConnectionOptions.language, ConnectionOptions.timeout, ConnectionOptions.reconnects,
            ConnectionOptions.pause,
        ] + ConnectionOptions.tls + [ConnectionOptions.plaintextToken, json, partial, realtime, report])

    let connection: ConnectionOptions
    let files: [String]
    let json: Bool
    let partial: Bool
    let realtime: Bool
    let reports: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        connection = try ConnectionOptions(arguments, target: ServiceOptions.target(arguments))
        if case .remote(let service) = connection.target, service.projectId != nil, service.appId == nil {
            throw UsageError("--app-id", "needed: which of the project's applications is to hear the files")
        }
        files = arguments.operands
        json = arguments.has(Self.json)
        partial = arguments.has(Self.partial)
        realtime = arguments.has(Self.realtime)
        reports = arguments.has(Self.report)
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        let interruption = Interruption()
        let handler = SignalHandler(SignalHandler.endings, moment: SignalHandler.moment) { _ in interruption.interrupt()
        }
        defer { withExtendedLifetime(handler) {} }
        let client = try connection.makeClient()
        return try await closing(client) { () throws(CommandFailure) in
            try await run(client, interruption, output, error)
        }
    }

    private func run(
        _ client: Client, _ interruption: Interruption, _ output: StandardStream, _ error: StandardStream
    ) async throws(CommandFailure) -> ExitStatus {
        var status = ExitStatus.done
        var report = Report()
        for file in files where !interruption.isInterrupted {
            let format: any TranscriptFormat =
                json
                ? JSONTranscript(file: file, showsPartial: partial)
                : ReadableTranscript(
                    file: files.count > 1 ? file : nil, showsPartial: partial,
                    columns: StatusLine.columns(of: output, environment: ProcessInfo.processInfo.environment))
            let session = TranscribeSession(
                client: client, appId: connection.startAppId, options: connection.contextOptions, file: file,
                output: output, error: error)
            do throws(CommandFailure) {
                let outcome = try await session.run(realtime: realtime, format: format, interruption)
                if !outcome.isGood { status = .failed }
                report.add(outcome.measurement)
            } catch {
                if error.isOutputGone { throw error }
                // What an interruption does to a file is no fault of the file.
                if !interruption.isInterrupted { try printError(error) }
                status = .failed
            }
        }
        if reports { try output.write(json ? report.json.text + "\n" : report.text) }
        if interruption.isInterrupted {
            throw CommandFailure("interrupted", "not everything was heard")
        }
        return status
    }

    private func printError(_ failure: CommandFailure) throws(CommandFailure) {
        try StandardStream.error.writeLine(errorLine(failure.what, failure.why))
    }
}

/// Remembers that the user wants to end, and ends the source that is being read.
final class Interruption: Sendable {
    private struct State {
        var isInterrupted = false
        var source: (any AudioSource)?
    }

    private let state = Locked(State())

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    func interrupt() {
        let source = state.withLock { state in
            state.isInterrupted = true
            return state.source
        }
        source?.stop()
    }

    /// Makes a source the one that an interruption ends; nil for none.
    func watch(_ source: (any AudioSource)?) {
        let isLate = state.withLock { state in
            state.source = source
            return state.isInterrupted
        }
        if isLate { source?.stop() }
    }
}
