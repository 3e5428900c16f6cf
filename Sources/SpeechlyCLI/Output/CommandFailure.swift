/// Why a command failed: reported on one line, exit status 1.
struct CommandFailure: Error, Hashable, Sendable {
    /// What was being done or looked at: a file, an address, a position in a file.
    let what: String
    /// What is wrong with it.
    let why: String

    /// Whether what the command writes reaches nobody any more: going on is pointless.
    let isOutputGone: Bool

    /// Whether the reader of the output has seen enough and left, which is no news.
    let isQuiet: Bool

    init(_ what: String, _ why: String, isOutputGone: Bool = false, isQuiet: Bool = false) {
        self.what = what
        self.why = why
        self.isOutputGone = isOutputGone
        self.isQuiet = isQuiet
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
