import SpeechlySync

/// Spreads the attempts to connect of all clients of a process, so that many that lost the same server do not fall
/// upon it at once.
final class ConnectPacer: Sendable {
    static let shared = ConnectPacer(interval: .microseconds(1250))

    /// The time between two attempts.
    let interval: Duration
    private let next = Locked<ContinuousClock.Instant?>(nil)

    init(interval: Duration) {
        self.interval = interval
    }

    /// Takes the next free moment.
    ///
    /// - Returns: when to connect: now, if nobody else wants to.
    func reserve(now: ContinuousClock.Instant = .now) -> ContinuousClock.Instant {
        next.withLock { next in
            let turn = max(now, next ?? now)
            next = turn + interval
            return turn
        }
    }

    /// Waits for the next free moment.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        let turn = reserve()
        if turn > .now { try await Task.sleep(until: turn, clock: .continuous) }
    }
}
