extension Duration {
    /// The longest time that anything here is made to wait, a year. Longer ones are taken as this: nobody sees the
    /// difference, and what they are added to and turned into has room for it.
    package static let longest = Duration.seconds(31_536_000)

    /// The duration, or the nearest one in a range. For what a host has set: any duration may come in.
    package func within(_ range: ClosedRange<Duration> = .zero ... .longest) -> Duration {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
