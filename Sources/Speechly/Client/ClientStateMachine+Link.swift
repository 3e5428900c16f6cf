import Foundation

/// What becomes of logins, connections and streams.
extension ClientStateMachine {
    mutating func logIn(renew: Bool, _ actions: inout [Action]) {
        session += 1
        link = .loggingIn
        earlyEnd = nil
        reconnectDeadline = nil
        actions.append(.login(session: session, renew: renew))
    }

    /// The login has succeeded.
    mutating func loggedIn(session: Int) -> [Action] {
        guard session == self.session, link == .loggingIn else { return [] }
        guard !utterances.isEmpty else {
            link = .down
            return []
        }
        link = .connecting
        defer { needsFreshConnection = false }
        return [.connect(session: session, fresh: needsFreshConnection)]
    }

    /// The login or the connection has failed.
    mutating func linkFailed(session: Int, _ failure: Failure, now: Duration) -> [Action] {
        guard session == self.session, link == .loggingIn || link == .connecting else { return [] }
        var actions: [Action] = []
        if failure.side == .network, utterances.contains(where: { $0.contextId != nil }) {
            // A context is under way: what failed is one attempt to go on with it.
            lose(.lost(failure), &actions, now: now)
        } else {
            failEverything(failure, &actions, now: now)
        }
        return finish(actions)
    }

    /// The stream could not be opened.
    mutating func connectFailed(session: Int, _ end: StreamEnd, now: Duration) -> [Action] {
        guard case .refused = end else { return linkFailed(session: session, end.failure, now: now) }
        guard session == self.session, link == .connecting else { return [] }
        earlyEnd = end
        return connected(session: session, now: now)
    }

    /// The stream is up.
    mutating func connected(session: Int, now: Duration) -> [Action] {
        guard session == self.session, link == .connecting else { return [] }
        link = .up
        reason = .connected
        linkSince = nil
        var actions: [Action] = []
        if let end = earlyEnd {
            lose(end, &actions, now: now)
        } else {
            emitEverything(&actions)
            if hasRoomForAudio, utterances.contains(where: { $0.source == .external }) { actions.append(.roomForAudio) }
        }
        return finish(actions)
    }

    /// The stream has ended.
    ///
    /// - Parameter session: the attempt that made the stream; `nil` for the current one.
    mutating func streamEnded(session: Int?, _ end: StreamEnd, now: Duration) -> [Action] {
        guard session == nil || session == self.session else { return [] }
        var actions: [Action] = []
        switch link {
        case .down, .waiting, .loggingIn: return []
        case .connecting: earlyEnd = end
        case .up: lose(end, &actions, now: now)
        }
        return finish(actions)
    }

    /// A command could not be sent: the stream is gone, whether or not its end has been reported.
    mutating func sendFailed(session: Int, _ end: StreamEnd, now: Duration) -> [Action] {
        guard link == .up else { return [] }
        return streamEnded(session: session, end, now: now)
    }

    /// The connection cannot be what it was: the machine has slept, or the network is another one.
    mutating func connectionSuspected(_ failure: Failure, now: Duration) -> [Action] {
        needsFreshConnection = true
        guard link == .up else { return [] }
        reason = .connectionLost(failure)
        var actions = [Action.disconnect]
        lose(.lost(failure), &actions, now: now)
        return finish(actions)
    }

    /// The stream is gone: gets another one for the contexts under way, or gives them up.
    mutating func lose(_ end: StreamEnd, _ actions: inout [Action], now: Duration) {
        takeDown()
        reason = end.isQuiet ? .idle : .connectionLost(end.failure)
        guard !utterances.isEmpty else { return }
        // A speaker may be silent for long; who has stopped waits for words, and only those show that it goes on.
        if let since = linkSince, now - since >= .seconds(10), listening != nil { backoff.reset() }
        linkSince = nil
        switch end {
        case .failed(let failure): failEverything(failure, &actions, now: now)
        case .refused(let failure):
            guard !utterances.contains(where: \.hasLoggedInAgain) else {
                return failEverything(failure, &actions, now: now)
            }
            for index in utterances.indices { utterances[index].hasLoggedInAgain = true }
            giveUpWhatIsTooLong(&actions, now: now)
            if !utterances.isEmpty { logIn(renew: true, &actions) }
        case .lost(let failure): reconnect(after: failure, &actions, now: now)
        }
    }

    private mutating func reconnect(after failure: Failure, _ actions: inout [Action], now: Duration) {
        let isUnderWay = utterances.contains { $0.contextId != nil }
        let limit = isUnderWay ? settings.maximumReconnects : settings.maximumLostStreams - 1
        guard backoff.attempts < limit else { return failEverything(failure, &actions, now: now) }
        giveUpWhatIsTooLong(&actions, now: now)
        guard !utterances.isEmpty else { return }
        needsFreshConnection = true
        let wait = backoff.next(jitter: jitter())
        // A stream that died while it stood idle is noticed by the first message on it, and costs no wait.
        guard isUnderWay || backoff.attempts > 1 else { return logIn(renew: false, &actions) }
        link = .waiting
        reconnectDeadline = now + wait
    }

    /// Gives up the contexts that cannot be continued, since audio that no final segment covers is no longer kept.
    mutating func giveUpWhatIsTooLong(_ actions: inout [Action], now: Duration) {
        guard link != .up else { return }
        for utterance in utterances where utterance.contextId != nil || utterance.ring.start > 0 {
            let covered = bytes(utterance.results.covered)
            let isCut = utterance.ring.start > min(covered, utterance.ring.end)
            if isCut || utterance.ring.count > replayLimit(utterance) {
                fail(utterance, .tooMuchToReplay(of: utterance.source), &actions, now: now)
            }
        }
        if utterances.isEmpty { takeDown() }
    }

    /// Forgets the stream and what was under way on it.
    mutating func takeDown() {
        session += 1
        link = .down
        earlyEnd = nil
        reconnectDeadline = nil
        bytesInFlight = 0
        for index in utterances.indices {
            for part in utterances[index].parts { if let id = part.serviceId { retire(id) } }
            utterances[index].parts = []
            utterances[index].replayedBytes = 0
        }
    }

    /// Ends all utterances and the stream.
    mutating func failEverything(_ failure: Failure, _ actions: inout [Action], now: Duration) {
        takeDown()
        note(failure)
        backoff.reset()
        // A channel that has failed waits before it tries again, which the next start must not.
        if failure.side == .network { needsFreshConnection = true }
        if handover != nil { expectRecorderStop(now) }
        handover = nil
        for utterance in utterances { fail(utterance, failure, &actions, now: now) }
    }

    private mutating func fail(
        _ utterance: Utterance, _ failure: Failure, _ actions: inout [Action], now: Duration
    ) {
        if let handover, handover.old == utterance.id || handover.new == utterance.id {
            settleHandover(&actions, now: now)
        }
        let utterance = index(of: utterance.id).map { utterances[$0] } ?? utterance
        abandonCapture(utterance, &actions, now: now)
        utterances.removeAll { $0.id == utterance.id }
        guard let contextId = utterance.contextId else {
            return actions.append(.failed(utterance: utterance.id, failure))
        }
        let failure = failure.concerning(
            contextId, lost: utterance.results.covered..<max(utterance.results.covered, seconds(utterance.ring.end)))
        actions.append(.stopped(utterance: utterance.id, contextId: contextId, .failed(failure)))
    }

    /// Stops capturing for an utterance whose audio nobody wants any more.
    mutating func abandonCapture(_ utterance: Utterance, _ actions: inout [Action], now: Duration) {
        guard utterance.capture != .ended else { return }
        guard utterance.source == .microphone else {
            return actions.append(.stopSource(utterance: utterance.id))
        }
        if utterance.capture == .active { actions.append(.stopRecorder) }
        expectRecorderStop(now)
    }
}
