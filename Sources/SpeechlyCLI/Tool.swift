import Foundation
import Speechly

/// Selects the command, runs it and turns its outcome into an exit status.
struct Tool {
    let output: StandardStream
    let error: StandardStream
    let environment: [String: String]

    static let commands: [any Command.Type] = [
        Transcribe.self, Listen.self, Serve.self, Understand.self, Devices.self,
        Login.self, SALCheck.self, SALSample.self,
    ]

    /// - Parameter given: What follows the program's name; `nil` for what is not UTF-8.
    func run(_ given: [String?]) async -> ExitStatus {
        do {
            let arguments = try readable(given)
            if arguments.isEmpty { throw UsageError("", "no command; see 'speechly --help'") }
            if ["--help", "-h", "help"].contains(arguments[0]) {
                try output.write(HelpText.program(Self.commands.map { $0.syntax }))
                return .done
            }
            if ["--version", "version"].contains(arguments[0]) {
                try output.write("speechly \(version), gRPC core \(Channel.libraryVersion)\n")
                return .done
            }
            if let group = groupHelp(arguments) {
                try output.write(HelpText.program(group, name: arguments[0]))
                return .done
            }
            let (command, rest) = try select(arguments)
            let parsed = try ArgumentParser(syntax: command.syntax, environment: environment).parse(rest)
            if parsed.has(CommandSyntax.help) {
                try output.write(HelpText.command(command.syntax))
                return .done
            }
            return try await command.init(parsed).run(output: output, error: error)
        } catch let problem as UsageError {
            return report(problem.what, problem.why, .wrongUsage)
        } catch let problem as CommandFailure {
            if problem.isQuiet { return .failed }
            return report(problem.what, problem.why, .failed)
        } catch {
            return report("", String(describing: error), .failed)
        }
    }

    private func readable(_ given: [String?]) throws(UsageError) -> [String] {
        var arguments: [String] = []
        for (index, argument) in given.enumerated() {
            guard let argument else {
                throw UsageError(
                    "argument \(index + 1)", "is not UTF-8; rename the file, or give it on standard input as '-'")
            }
            arguments.append(argument)
        }
        return arguments
    }

    private func report(_ what: String, _ why: String, _ status: ExitStatus) -> ExitStatus {
        // Where standard error is gone too there is nobody left to tell; the status still says it.
        try? error.writeLine(errorLine(what, why))
        return status
    }

    /// The commands of `speechly GROUP --help`.
    private func groupHelp(_ arguments: [String]) -> [CommandSyntax]? {
        guard arguments.count == 2, ["--help", "-h"].contains(arguments[1]) else { return nil }
        let group = Self.commands.map { $0.syntax }.filter { $0.words.count > 1 && $0.words[0] == arguments[0] }
        return group.isEmpty ? nil : group
    }

    private func select(_ arguments: [String]) throws(UsageError) -> (any Command.Type, [String]) {
        for command in Self.commands where arguments.starts(with: command.syntax.words) {
            return (command, Array(arguments.dropFirst(command.syntax.words.count)))
        }
        let first = arguments[0]
        let group = Self.commands.map { $0.syntax }.filter { $0.words.count > 1 && $0.words[0] == first }
        if !group.isEmpty {
            let wanted = arguments.count > 1 ? "unknown command '\(arguments[1])'" : "incomplete command"
            let names = group.map { "'speechly \($0.name)'" }.joined(separator: " or ")
            throw UsageError(first, "\(wanted): write \(names)")
        }
        let guess = closest(to: first, among: Self.commands.map { $0.syntax.words[0] })
        let hint = guess.map { " (did you mean '\($0)'?)" } ?? ""
        throw UsageError(first, "unknown command\(hint); see 'speechly --help'")
    }
}
