import Foundation

/// What a client does about time that passes unseen: sleep, other networks, and tokens that grow old.
extension ClientEngine {
    /// How often the connection of a context is looked at.
    private static let interval = Duration.seconds(2)

    /// Gives up a connection that the machine's sleep or a change of network has cut.
    func lookAtConnection() {
        guard let change = watch?.change() else { return }
        logger.log(.info, change)
        handle { $0.machine.connectionSuspected(.networkChanged(change), now: clock.now) }
    }

    /// Looks at the connection again and again while a context needs it. Under the lock.
    func watchConnection(_ state: inout State) {
        guard watch != nil, !state.isWatching, !state.machine.utterances.isEmpty else { return }
        state.isWatching = true
        clock.schedule(at: clock.now + Self.interval) { [weak self] in
            guard let self else { return }
            lookAtConnection()
            self.state.withLock { state in
                state.isWatching = false
                self.watchConnection(&state)
            }
        }
    }

    /// Has a token renewed before it is too old to be used. Under the lock.
    func planRenewal(_ token: ApiAccessToken, _ state: inout State) {
        guard let seconds = token.renewalDelay(now: Date()) else { return }
        // A timer cannot be taken back, and is not to outlive a client for long.
        let deadline = clock.now + .seconds(min(600, max(30, seconds)))
        guard state.renewal.map({ $0 <= clock.now || deadline < $0 }) ?? true else { return }
        state.renewal = deadline
        clock.schedule(at: deadline) { [weak self] in
            guard let self, self.state.withLock({ $0.renewal == deadline && !$0.machine.isClosed }) else { return }
            Task { [weak self] in
                // Asking is enough: the identity client renews what it is about to grow old, behind our back.
                guard let self, let token = try? await self.login.authenticate() else { return }
                self.state.withLock { state in
                    state.renewal = nil
                    self.planRenewal(token, &state)
                }
            }
        }
    }
}
