import Foundation
import Speechly
import SpeechlyService

/// `speechly understand`: text in, intent and entities out.
struct Understand: Command {
    private static let json = Option("json", .flag, help: "print one JSON object for each segment")

    static let syntax = CommandSyntax(
        words: ["understand"],
        summary: "find intent and entities in text",
        details: """
            Prints the segments of each text, as 'intent: words [spoken](entity) words' ('[spoken|value](entity)' \
            where the value is another than what was written), and an empty line for a text that has none. Without \
            an address the embedded service is used, with the configuration given by --config.
            """,
        operands: Operands(
            name: "TEXT", count: 1...Int.max,
            help: "what was written; '-' reads one text from each line of standard input", mayBeEmpty: true),
        options: ServiceOptions.all + [
            ConnectionOptions.language, ConnectionOptions.timeout,
        ] + ConnectionOptions.tls + [ConnectionOptions.plaintextToken, json])

    let connection: ConnectionOptions
    let texts: [String]
    let json: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        var target = try ServiceOptions.target(arguments)
        if case .remote(let service) = target {
            guard service.appId != nil else {
                throw UsageError("--app-id", "needed: a text is understood by an application, not by a project")
            }
            target = .remote(
                RemoteService(identity: service.identity, slu: service.slu, appId: service.appId, projectId: nil))
        }
        connection = try ConnectionOptions(arguments, target: target)
        texts = arguments.operands
        json = arguments.has(Self.json)
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        let handler = SignalHandler(SignalHandler.endings) { endProcess(by: $0) }
        defer { withExtendedLifetime(handler) {} }
        let client = try connection.makeClient()
        return try await closing(client) { () throws(CommandFailure) in
            for text in texts {
                guard text == "-" else {
                    try await understand(text, client, output)
                    continue
                }
                var input = StandardInput(limit: EmbeddedService.maximumTextBytes)
                while let line = try input.readLine() { try await understand(line, client, output) }
            }
            return .done
        }
    }

    private func understand(
        _ text: String, _ client: Client, _ output: StandardStream
    ) async throws(CommandFailure) {
        let segments: [WrittenSegment]
        do {
            segments = try await client.understand(text: text)
        } catch {
            throw CommandFailure("", String(describing: error))
        }
        // One text is never no line: line by line, output belongs to input.
        if segments.isEmpty, !json { try output.writeLine("") }
        for (index, segment) in segments.enumerated() {
            try output.writeLine(json ? jsonLine(segment, id: index, text: text) : line(segment))
        }
    }

    private func line(_ segment: WrittenSegment) -> String {
        ReadableText.line(
            intent: segment.intent.value, words: segment.words.map { ($0.index, $0.value) }, entities: segment.entities)
    }

    private func jsonLine(_ segment: WrittenSegment, id: Int, text: String) -> String {
        let words = segment.words.map { word in
            ["index": .integer(Int64(word.index)), "value": .string(word.value)] as JSON
        }
        let object: JSON = [
            "event": "segment", "input": .string(text), "segmentId": .integer(Int64(id)), "isFinal": true,
            "intent": .string(segment.intent.value), "entities": .entities(segment.entities),
            "text": .string(segment.text), "words": .array(words),
        ]
        return object.text
    }
}
