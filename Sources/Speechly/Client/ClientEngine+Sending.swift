import Foundation

/// What goes to the service, one thing after the other.
///
/// One at a time sends: whoever has brought audio, as long as it can be sent at once, since to wake another thread costs
/// more than to send; a task where there may be something to wait for.
extension ClientEngine {
    /// Puts something into the outbox. Under the lock.
    func send(_ item: SenderItem, _ state: inout State) {
        if let utterances {
            switch item.command {
            case .start(let id, _, _, let from): utterances.start(id, from: from)
            case .audio(let id, let data): utterances.append(data, to: id)
            case .stop: break
            }
        }
        state.outbox.append(item)
        guard !state.isSending else { return }
        state.isSending = true
        if state.isHandling {
            state.sendsAfterwards = true
        } else {
            Task { await sendAll() }
        }
    }

    /// Sends what is in the outbox, until something has to be waited for: a task goes on from there.
    func sendAtOnce() {
        while let item = nextToSend() {
            guard let own = ownSluClient, case .audio(_, let data) = item.command else { return leave(item) }
            let (isCurrent, isWanted) = standing(of: item)
            guard isCurrent else { continue }
            if isWanted, !own.sendAtOnce(data, streamId: item.session) { return leave(item) }
            handle { $0.machine.sent(item.command, session: item.session, now: clock.now) }
        }
    }

    private func leave(_ item: SenderItem) {
        Task {
            await send(item)
            await sendAll()
        }
    }

    private func sendAll() async {
        while let item = nextToSend() { await send(item) }
    }

    private func nextToSend() -> SenderItem? {
        state.withLock { state in
            let next = state.outbox.popFirst()
            if next == nil { state.isSending = false }
            return next
        }
    }

    private func standing(of item: SenderItem) -> (isCurrent: Bool, isWanted: Bool) {
        state.withLock { ($0.machine.session == item.session, $0.machine.wants(item.command)) }
    }

    private func send(_ item: SenderItem) async {
        let (isCurrent, isWanted) = standing(of: item)
        guard isCurrent else { return }
        do {
            if isWanted { try await give(item) }
            handle { $0.machine.sent(item.command, session: item.session, now: clock.now) }
        } catch {
            let end = ClientStateMachine.StreamEnd(error, at: place)
            handle { $0.machine.sendFailed(session: item.session, end, now: clock.now) }
        }
    }

    private func give(_ item: SenderItem) async throws {
        // Our own client is told which stream is meant: a newer one may have taken its place by now.
        switch (item.command, ownSluClient) {
        case (.start(_, let appId, let options, _), let own?):
            try await own.startContext(appId: appId, options: options, streamId: item.session)
        case (.audio(_, let data), let own?): try await own.write(data: data, streamId: item.session)
        case (.stop, let own?): try await own.stopContext(streamId: item.session)
        case (.start(_, let appId, let options, _), nil):
            try await sluClient.startContext(appId: appId, options: options)
        case (.audio(_, let data), nil): try await sluClient.write(data: data)
        case (.stop, nil): try await sluClient.stopContext()
        }
    }
}
