import SpeechlySync

/// Spreads the attempts to connect of all clients of a process, so that many that lost the same server do not fall
/// upon it at once.
final class ConnectPacer: Sendable {
    static let shared = ConnectPacer(clock: SystemClock())

    private struct State {
        var turns = ConnectTurns()
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var isTicking = false
    }

    private let clock: any ClientClock
    private let state = Locked(State())

    init(clock: any ClientClock) {
        self.clock = clock
    }

    /// How many wait for their turn.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Connects when it is this client's turn: at once, if few others want to.
    ///
    /// - Throws: what `connect` throws; `CancellationError`.
    func connect<Result: Sendable>(_ connect: () async throws -> Result) async throws -> Result {
        let turn = state.withLock { $0.turns.request(now: clock.now) }
        defer { state.withLock { $0.turns.end(turn.name) } }
        if !turn.begins { try await wait(for: turn.name) }
        return try await connect()
    }

    private func wait(for name: Int) async throws {
        let hasBegun = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let hasBegun = state.withLock { state in
                    // The turn may have come before anybody could be told.
                    guard state.turns.isWaiting(name) else { return true }
                    state.waiters[name] = waiter
                    return false
                }
                if hasBegun { return waiter.resume(returning: true) }
                // So may the cancellation.
                if Task.isCancelled { resume([name], hasBegun: false) }
                tick()
            }
        } onCancel: {
            resume([name], hasBegun: false)
        }
        guard hasBegun else { throw CancellationError() }
    }

    /// Begins the turns that may begin, and comes back for the others.
    private func tick() {
        let isDue = state.withLock { state in
            guard !state.isTicking, state.turns.isAwaited else { return false }
            state.isTicking = true
            return true
        }
        guard isDue else { return }
        clock.schedule(at: clock.now + state.withLock { $0.turns.interval }) { [self] in
            let begun = state.withLock { state in
                state.isTicking = false
                return state.turns.begin(now: clock.now)
            }
            resume(begun, hasBegun: true)
            tick()
        }
    }

    private func resume(_ names: ArraySlice<Int>, hasBegun: Bool) {
        let waiters = state.withLock { state in names.compactMap { state.waiters.removeValue(forKey: $0) } }
        for waiter in waiters { waiter.resume(returning: hasBegun) }
    }
}
