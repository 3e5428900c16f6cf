/// What can be written after `speechly NAME`: the single description that parsing and help share.
struct CommandSyntax: Sendable {
    /// The words that select the command, such as `["sal", "check"]`.
    let words: [String]
    /// One line for the list of commands.
    let summary: String
    /// What the command does, for its own help.
    let details: String
    let operands: Operands
    let options: [Option]

    var name: String { words.joined(separator: " ") }

    static let help = Option("help", letter: "h", .flag, help: "print this help and exit")

    /// The command's options and `--help`.
    var allOptions: [Option] { options + [Self.help] }
}
