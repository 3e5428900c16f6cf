import Foundation
import SpeechlyService

/// The engine's C API alone, on the same audio with the same grammar.
struct Peer {
    var cold: Double
    var warm: Double
    var text: String

    /// Writes the peer's grammar and dictionary into a folder and runs it.
    init(program: String, graph: SALGraph, audio: [UInt8], rounds: Int, folder: URL) throws {
        let dictionary = folder.appendingPathComponent("words.dict")
        let grammar = folder.appendingPathComponent("words.fsg")
        let raw = folder.appendingPathComponent("audio.raw")
        try Self.dictionary(of: Set(graph.arcs.compactMap(\.word))).write(
            to: dictionary, atomically: false, encoding: .utf8)
        try Self.grammar(of: graph).write(to: grammar, atomically: false, encoding: .utf8)
        try Data(audio).write(to: raw)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [dictionary.path, grammar.path, raw.path, String(rounds)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard process.terminationStatus == 0, parts.count > 2, let cold = Double(parts[0]), let warm = Double(parts[1])
        else { throw BenchmarkError("the peer failed: \(text)") }
        self.cold = cold
        self.warm = warm
        self.text = parts.dropFirst(2).joined(separator: " ")
    }

    private static func grammar(of graph: SALGraph) -> String {
        var lines = ["FSG_BEGIN utterances", "N \(graph.stateCount)", "S \(graph.startState)", "F \(graph.finalState)"]
        lines += graph.arcs.map { "T \($0.from) \($0.to) \($0.probability) \($0.word ?? "")" }
        return (lines + ["FSG_END", ""]).joined(separator: "\n")
    }

    private static func dictionary(of words: Set<String>) throws -> String {
        let path = "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { line in
            words.contains(String(line.prefix { $0 != " " && $0 != "(" }))
        }
        // What the dictionary does not have.
        let missing = ["typescript T AY P EH S K R IH P T", "repos R IY P OW Z"].filter { line in
            !lines.contains { $0.hasPrefix(line.prefix { $0 != " " } + " ") }
        }
        return (lines.map(String.init) + missing + [""]).joined(separator: "\n")
    }
}
