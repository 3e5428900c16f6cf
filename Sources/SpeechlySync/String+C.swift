extension String {
    /// Whether the system's functions see all of it: they take a text to end at its first NUL, and would open another
    /// file than the one that was named.
    package var isWholeInC: Bool { !utf8.contains(0) }

    /// What is wrong with a path or name that is not.
    package static let notWholeInC = "it has a NUL character, which no path or name has"

    /// Why this cannot be the path or name of anything; `nil` if it can be.
    package var pathProblem: String? { isEmpty ? "the name is empty" : isWholeInC ? nil : Self.notWholeInC }

    /// The text as it can be shown in a message: a NUL as `\0`, and nothing at all as two quotes.
    package var shownPath: String {
        if isEmpty { return "''" }
        return split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\\0")
    }
}
