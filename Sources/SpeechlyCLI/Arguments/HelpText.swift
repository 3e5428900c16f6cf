/// The help of the program and of each command, made from the same syntax the parser reads.
enum HelpText {
    static let width = 96

    /// The help of the program, or of one of its groups of commands.
    static func program(_ commands: [CommandSyntax], name: String? = nil) -> String {
        let column = (commands.map { $0.name.count }.max() ?? 0) + 4
        var text = "Speech to words, entities and intents, by a Speechly-compatible service.\n\n"
        text += "usage: speechly \(name.map { "\($0) " } ?? "")COMMAND [ARGUMENT…]\n\ncommands:\n"
        for command in commands {
            text += entry("  \(command.name)", command.summary, column: column)
        }
        text +=
            "\n'speechly \(name.map { "\($0) " } ?? "")COMMAND --help' explains a command; 'speechly --version' says which this is.\n"
        text += "After '--' nothing is an option: write it before the name of a file that begins with '-'.\n"
        text += "exit status: 0 done, 1 failed, 2 wrong usage; errors are one line on standard error.\n"
        return text
    }

    static func command(_ syntax: CommandSyntax) -> String {
        var usage = "usage: speechly \(syntax.name)"
        if !syntax.operands.usage.isEmpty { usage += " \(syntax.operands.usage)" }
        if !syntax.options.isEmpty { usage += " [OPTION…]" }
        var text = usage + "\n\n" + wrapped(syntax.details, indent: 0) + "\n"
        if !syntax.operands.usage.isEmpty {
            text += "\n" + entry("  \(syntax.operands.name)", syntax.operands.help, column: 26)
        }
        text += "\noptions:\n"
        for option in syntax.allOptions {
            text += entry("  \(left(of: option))", right(of: option), column: 26)
        }
        return text
    }

    private static func left(of option: Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? ""
        let value = option.valueName.map { " \($0)" } ?? ""
        return letter + option.spelling + value
    }

    private static func right(of option: Option) -> String {
        var text = option.help
        if case .list = option.kind { text += " (may be repeated)" }
        if let variable = option.environment { text += " [\(variable)]" }
        return text
    }

    private static func entry(_ left: String, _ right: String, column: Int) -> String {
        let body = wrapped(right, indent: column)
        guard left.count + 2 <= column else { return "\(left)\n\(String(repeating: " ", count: column))\(body)\n" }
        return left + String(repeating: " ", count: column - left.count) + body + "\n"
    }

    /// Breaks text at blanks; lines after the first start with `indent` blanks. Line feeds are kept.
    static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, indent + line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? String(word) : " \(word)"
            }
            lines.append(line)
        }
        return lines.enumerated().map { $0.offset == 0 || $0.element.isEmpty ? $0.element : margin + $0.element }
            .joined(separator: "\n")
    }
}
