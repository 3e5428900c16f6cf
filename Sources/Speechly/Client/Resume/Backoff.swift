import Foundation

/// How long to wait before the next attempt to get a connection back.
///
/// The wait grows by half from attempt to attempt up to a limit, and is spread over half of itself so that many clients
/// that were cut off together do not come back together. What was away for a second is found within half of one.
struct Backoff: Hashable {
    /// The longest wait of the first attempt.
    static let first = Duration.milliseconds(100)
    private static let growth = 1.5
    /// The longest wait of any attempt.
    static let longest = Duration.seconds(2)

    /// How many attempts were made in a row.
    private(set) var attempts = 0

    /// The wait before the next attempt, which it counts.
    ///
    /// - Parameter jitter: where in its range the wait lies, 0 to 1.
    mutating func next(jitter: Double) -> Duration {
        let limit = min(Self.longest, Self.first * pow(Self.growth, Double(min(attempts, 20))))
        attempts += 1
        return limit * (0.5 + 0.5 * min(1, max(0, jitter)))
    }

    /// The connection has proved itself.
    mutating func reset() { attempts = 0 }
}
