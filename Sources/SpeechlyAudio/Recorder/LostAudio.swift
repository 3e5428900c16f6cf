/// How much is missing of what should have been captured.
public struct LostAudio: Hashable, Sendable, Codable {
    /// How many times the device overran because the computer was too busy to read it or slept, or audio was thrown
    /// away, by a sound server or by the recorder, because it was not taken in time.
    public private(set) var gaps: Int
    /// How long the gaps are together, as well as it is known.
    public private(set) var duration: Duration

    /// Creates a sum.
    ///
    /// - Parameters:
    ///   - gaps: How many gaps there were.
    ///   - duration: How long they are together.
    public init(gaps: Int = 0, duration: Duration = .zero) {
        self.gaps = gaps
        self.duration = duration
    }

    /// Counts a gap.
    package mutating func add(seconds: Double) {
        gaps += 1
        // Whoever reports it may be of any kind.
        duration += .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 1e9))
    }
}
