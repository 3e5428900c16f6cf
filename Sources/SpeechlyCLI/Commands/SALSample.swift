import SpeechlyService

/// `speechly sal sample`: prints utterances that a configuration describes.
struct SALSample: Command {
    private static let count = Option("count", letter: "n", .value("N"), help: "how many utterances; 10 unless given")
    private static let seed = Option(
        "seed", .value("S"), help: "a whole number: the same one prints the same utterances; random unless given")

    static let syntax = CommandSyntax(
        words: ["sal", "sample"],
        summary: "print utterances that SAL describes",
        details: "Draws utterances from a configuration at random and prints them with intents and entities marked.",
        operands: Operands(name: "FILE", count: 1...1, help: "the configuration"),
        options: [count, seed])

    let path: String
    let count: Int
    let seed: UInt64

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.operands[0]
        count = try Self.number(Self.count, in: 1...1_000_000, arguments) ?? 10
        let seed: Int? = try Self.number(Self.seed, in: 0...Int.max, arguments)
        self.seed = seed.map(UInt64.init) ?? UInt64.random(in: 0...UInt64.max)
    }

    private static func number(
        _ option: Option, in range: ClosedRange<Int>, _ arguments: ParsedArguments
    ) throws(UsageError) -> Int? {
        guard let text = arguments.value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                option.spelling, "'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus {
        guard let sal = try SALFile.configuration(path).sal else { return .done }
        for utterance in sal.sample(count: count, seed: seed) { try output.writeLine(utterance) }
        return .done
    }
}
