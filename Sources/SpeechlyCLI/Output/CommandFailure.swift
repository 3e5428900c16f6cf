/// Why a command failed: reported on one line, exit status 1.
struct CommandFailure: Error, Hashable, Sendable {
    /// What was being done or looked at: a file, an address, a position in a file.
    let what: String
    /// What is wrong with it.
    let why: String

    init(_ what: String, _ why: String) {
        self.what = what
        self.why = why
    }
}

/// The exit statuses of the tool.
enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case wrongUsage = 2
}

/// The one line that reports an error: `speechly: what: why`.
func errorLine(_ what: String, _ why: String) -> String {
    let line = what.isEmpty ? "speechly: \(why)" : "speechly: \(what): \(why)"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ")
}
