/// Arguments that make no command: reported on one line, exit status 2.
struct UsageError: Error, Hashable, Sendable {
    /// The argument or command at fault.
    let what: String
    /// What is wrong with it and what to write instead.
    let why: String

    init(_ what: String, _ why: String) {
        self.what = what
        self.why = why
    }
}
