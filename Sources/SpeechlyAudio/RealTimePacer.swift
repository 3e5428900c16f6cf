import SpeechlySync

/// Lets audio through no faster than it would come from a microphone.
final class RealTimePacer: Sendable {
    private struct State {
        var sleeper: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Locked(State())
    private let sleep: @Sendable (Duration) async -> Void

    /// Measures time on `clock`, from the first ``wait(for:)`` on.
    init(clock: some Clock<Duration>) {
        sleep = Self.sleeper(clock)
    }

    private static func sleeper<C: Clock>(_ clock: C) -> @Sendable (Duration) async -> Void
    where C.Duration == Duration {
        let start = Locked<C.Instant?>(nil)
        return { offset in
            let first = start.withLock { value in
                let instant = value ?? clock.now
                value = instant
                return instant
            }
            try? await clock.sleep(until: first.advanced(by: offset), tolerance: nil)
        }
    }

    /// Waits until `offset` after the first call, or until ``cancel()`` or the task's cancellation.
    func wait(for offset: Duration) async {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.isCancelled else { return nil }
            let task = Task { [sleep] in await sleep(offset) }
            state.sleeper = task
            return task
        }
        guard let task else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the present wait and all later ones at once. Any thread.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.sleeper
        }?.cancel()
    }
}
