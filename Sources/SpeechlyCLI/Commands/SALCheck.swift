import SpeechlyService

/// `speechly sal check`: compiles SAL and prints what the compiler says.
struct SALCheck: Command {
    static let syntax = CommandSyntax(
        words: ["sal", "check"],
        summary: "compile SAL and print what is wrong with it",
        details: """
            Compiles a configuration, which is a file of plain SAL, a .yaml file, or a folder with a config.yaml, and \
            prints every error, warning and note with its place, as \
            file:line:column:LEVEL:message. Fails if there are errors.
            """,
        operands: Operands(name: "FILE", count: 1...1, help: "the configuration"),
        options: [])

    let path: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operands[0]
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        do {
            let sal = try SALCompiler.compile(contentsOfFile: path)
            try print(sal.diagnostics, omitted: sal.omittedDiagnostics, to: output)
            let intents = counted(sal.intents.count, "intent")
            let entities = counted(sal.entityTypes.count, "entity type")
            let words = counted(sal.vocabulary.count, "word")
            try output.writeLine("\(path): \(intents), \(entities), \(words)")
            return .done
        } catch let problem as SALError {
            try print(problem.diagnostics, omitted: problem.omitted, to: output)
            throw CommandFailure(path, counted(problem.errors.count + problem.omitted[.error, default: 0], "error"))
        } catch let problem as CommandFailure {
            throw problem
        } catch {
            throw CommandFailure("", String(describing: error))
        }
    }

    private func print(
        _ diagnostics: [SALDiagnostic], omitted: [SALDiagnostic.Level: Int], to output: StandardStream
    ) throws(CommandFailure) {
        for diagnostic in diagnostics { try output.writeLine(diagnostic.detailedDescription) }
        let more = omitted.sorted { $0.key > $1.key }.map { counted($0.value, "more \($0.key.rawValue.lowercased())") }
        if !more.isEmpty { try output.writeLine("and \(more.joined(separator: ", "))") }
    }
}

/// A number with its noun: `1 word`, `2 words`.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
