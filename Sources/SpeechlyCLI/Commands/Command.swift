/// A command of the tool: its syntax and what it does.
protocol Command: Sendable {
    static var syntax: CommandSyntax { get }

    /// Reads the arguments further than syntax goes: addresses, numbers, ids.
    init(_ arguments: ParsedArguments) throws(UsageError)

    /// Does the work. What stops it is thrown; a command that goes on after failures prints them and says so by
    /// its status.
    func run(output: StandardStream, error: StandardStream) async throws(CommandFailure) -> ExitStatus
}
