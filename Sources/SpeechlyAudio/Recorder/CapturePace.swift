/// Watches whether a device keeps to its clock: notes what is faster than real time, and what has gone quiet.
struct CapturePace {
    /// Whether the device has more than can have been captured in the time.
    private(set) var isAhead = false

    private var framesAhead = 0
    private var hasWarnedOfSpeed = false
    private var hasWarnedOfQuiet = false
    /// After how long without any audio a device is said to be quiet, in nanoseconds.
    private static let patience: UInt64 = 3_000_000_000

    /// A recording begins: what is wrong is to be said again.
    mutating func recordingBegins() {
        hasWarnedOfSpeed = false
        hasWarnedOfQuiet = false
        framesAhead = 0
    }

    /// Frames were read, of `available` when `allowance` was possible. Returns whether to warn: for a second of its
    /// own time the device has had more than it can have captured.
    mutating func read(_ count: Int, available: Int, allowance: Int, sampleRate: Int) -> Bool {
        isAhead = available > allowance
        hasWarnedOfQuiet = false
        framesAhead = isAhead ? framesAhead + count : 0
        guard framesAhead >= sampleRate, !hasWarnedOfSpeed else { return false }
        hasWarnedOfSpeed = true
        return true
    }

    /// No audio has come since `lastRead`. Returns whether to warn.
    mutating func isQuiet(at now: UInt64, since lastRead: UInt64) -> Bool {
        guard !hasWarnedOfQuiet, now >= lastRead + Self.patience else { return false }
        hasWarnedOfQuiet = true
        return true
    }
}
