import Foundation

/// The last line of a terminal, which what comes later overwrites.
enum StatusLine {
    /// Takes the line away.
    static let erasure = "\r\u{1B}[K"

    /// Writes a line in the place of the one that is there: `fixed`, and of `text` as much of its end as there is room
    /// for, since that is what is new.
    ///
    /// A line that fills the terminal could not be erased. Three columns are left: for the cursor, and for the `^C` that
    /// the terminal writes behind it.
    static func drawn(_ text: String, behind fixed: String = "", columns: Int) -> String {
        let room = max(0, columns - 3)
        // A terminal that is too narrow for both shows the words.
        let start = fixed.isEmpty || text.isEmpty ? fixed : fixed + " "
        let kept = text.isEmpty || start.count + 8 <= room ? start : ""
        let rest = room - kept.count
        let shown = text.count <= rest ? text : rest > 0 ? "…" + text.suffix(rest - 1) : ""
        return erasure + (kept + shown).prefix(room)
    }

    /// How wide a terminal is at present; nil for what is none, or cannot erase.
    static func columns(of stream: StandardStream, environment: [String: String]) -> (@Sendable () -> Int)? {
        guard stream.isTerminal, let kind = environment["TERM"], !["", "dumb"].contains(kind) else { return nil }
        let descriptor = stream.descriptor
        return { terminalColumns(descriptor) }
    }
}

/// The width of a terminal in characters.
private func terminalColumns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}
