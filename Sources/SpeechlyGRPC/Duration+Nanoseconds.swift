extension Duration {
    /// Whole nanoseconds, as many as fit.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded up, from 1 to what a C `int` holds.
    var positiveMilliseconds: Int32 {
        let nanoseconds = clampedNanoseconds
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        return Int32(clamping: max(1, milliseconds))
    }
}
