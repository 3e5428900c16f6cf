import SpeechlySync

extension Duration {
    /// Whole nanoseconds, from none to a year.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = within().components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded up, from 1 to what a C `int` holds.
    var positiveMilliseconds: Int32 {
        let nanoseconds = clampedNanoseconds
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        return Int32(clamping: max(1, milliseconds))
    }
}
