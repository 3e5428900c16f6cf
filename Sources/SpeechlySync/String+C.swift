extension String {
    /// Whether the system's functions see all of it: they take a text to end at its first NUL, and would open another
    /// file than the one that was named.
    package var isWholeInC: Bool { !utf8.contains(0) }

    /// What is wrong with a path or name that is not.
    package static let notWholeInC = "it has a NUL character, which no path or name has"
}
