import SpeechlySync

@testable import Speechly

/// A clock that stands still until a test moves it.
final class ManualTime: ClientClock, Sendable {
    private struct State {
        var now = Duration.zero
        var timers: [(deadline: Duration, body: @Sendable () -> Void)] = []
    }

    private let state = Locked(State())

    var now: Duration { state.withLock { $0.now } }

    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.timers.append((deadline, body)) }
    }

    /// Moves the time on and fires what is due, in order.
    func advance(by duration: Duration) {
        let target = now + duration
        while true {
            let body = state.withLock { state -> (@Sendable () -> Void)? in
                guard
                    let index = state.timers.indices.filter({ state.timers[$0].deadline <= target })
                        .min(by: { state.timers[$0].deadline < state.timers[$1].deadline })
                else {
                    state.now = max(state.now, target)
                    return nil
                }
                let timer = state.timers.remove(at: index)
                state.now = max(state.now, timer.deadline)
                return timer.body
            }
            guard let body else { return }
            body()
        }
    }
}
