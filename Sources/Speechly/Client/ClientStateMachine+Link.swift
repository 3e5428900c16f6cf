import Foundation

/// What becomes of logins, connections and the service's answers.
extension ClientStateMachine {
    mutating func logIn(renew: Bool, _ actions: inout [Action]) {
        session += 1
        link = .loggingIn
        earlyEnd = nil
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
        return [.connect(session: session)]
    }

    /// The login or the connection has failed.
    mutating func linkFailed(session: Int, _ failure: Failure, now: Duration) -> [Action] {
        guard session == self.session, link == .loggingIn || link == .connecting else { return [] }
        var actions: [Action] = []
        failEverything(failure, &actions, now: now)
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
        var actions: [Action] = []
        if let end = earlyEnd {
            // What waits has to be offered to the rules for a second try as if it had been sent.
            earlyEnd = nil
            unacknowledged = outbox
            outbox = []
            outboxBytes = 0
            lose(end, &actions, now: now)
        } else {
            emitOutbox(&actions)
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
        case .down, .loggingIn: return []
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

    private mutating func lose(_ end: StreamEnd, _ actions: inout [Action], now: Duration) {
        guard !utterances.isEmpty else {
            link = .down
            session += 1
            dropCommands()
            return
        }
        let mayTryAgain: Bool
        var renew = false
        let pending = utterances.filter { $0.contextId == nil }
        switch end {
        case .refused:
            renew = true
            mayTryAgain = pending.allSatisfy { !$0.hasLoggedInAgain }
        // A dead connection may be noticed only by the first message on it, and more than once in a row: by the
        // stream that stood idle, and by the next one when the channel does not know yet.
        case .lost: mayTryAgain = pending.allSatisfy { $0.lostStreams + 1 < settings.maximumLostStreams }
        case .failed: mayTryAgain = false
        }
        guard mayTryAgain, !pending.isEmpty, unacknowledged != nil else {
            return failEverything(end.failure, &actions, now: now)
        }
        for utterance in utterances where utterance.contextId != nil {
            fail(utterance, end.failure, &actions, now: now)
        }
        for index in utterances.indices {
            if renew { utterances[index].hasLoggedInAgain = true } else { utterances[index].lostStreams += 1 }
            utterances[index].deadline = nil
        }
        sendAgain()
        logIn(renew: renew, &actions)
    }

    /// Ends all utterances and the stream.
    mutating func failEverything(_ failure: Failure, _ actions: inout [Action], now: Duration) {
        session += 1
        link = .down
        earlyEnd = nil
        dropCommands()
        if handover != nil { expectRecorderStop(now) }
        handover = nil
        for utterance in utterances { fail(utterance, failure, &actions, now: now) }
    }

    private mutating func fail(
        _ utterance: Utterance, _ failure: Failure, _ actions: inout [Action], now: Duration
    ) {
        abandonCapture(utterance, &actions, now: now)
        utterances.removeAll { $0.id == utterance.id }
        var failure = failure
        failure.contextId = utterance.contextId
        if let contextId = utterance.contextId {
            actions.append(.stopped(utterance: utterance.id, contextId: contextId, .failed(failure)))
        } else {
            actions.append(.failed(utterance: utterance.id, failure))
        }
    }

    /// Stops capturing for an utterance whose audio nobody wants any more.
    private mutating func abandonCapture(_ utterance: Utterance, _ actions: inout [Action], now: Duration) {
        guard utterance.capture != .ended else { return }
        guard utterance.source == .microphone else {
            return actions.append(.stopSource(utterance: utterance.id))
        }
        if utterance.capture == .active { actions.append(.stopRecorder) }
        expectRecorderStop(now)
    }

    /// Whether a start waits for the service to start its context.
    var awaitsContext: Bool {
        link == .up && utterances.contains { $0.contextId == nil && handover?.new != $0.id }
    }

    /// The service has started a context.
    ///
    /// - Returns: `nil` when no start waits for it.
    mutating func contextStarted(_ contextId: String, now: Duration) -> [Action]? {
        guard link == .up,
            let index = utterances.firstIndex(where: { $0.contextId == nil && handover?.new != $0.id })
        else { return nil }
        utterances[index].contextId = contextId
        utterances[index].deadline = utterances[index].isStopSent ? now + settings.finishTimeout : nil
        acknowledge(utterances[index].id)
        return finish([.started(utterance: utterances[index].id, contextId: contextId)])
    }

    /// The service has sent something about a context.
    mutating func contextHeard(_ contextId: String, now: Duration) {
        guard let index = utterances.firstIndex(where: { $0.contextId == contextId && $0.deadline != nil })
        else { return }
        utterances[index].deadline = now + settings.finishTimeout
    }

    /// The service has finished a context.
    mutating func contextFinished(_ contextId: String, now: Duration) -> [Action] {
        guard let index = utterances.firstIndex(where: { $0.contextId == contextId }) else { return [] }
        let utterance = utterances[index]
        var actions: [Action] = []
        if handover?.old == utterance.id { settleHandover(&actions, now: now) }
        abandonCapture(utterance, &actions, now: now)
        utterances.removeAll { $0.id == utterance.id }
        removeCommands(of: utterance.id)
        actions.append(.stopped(utterance: utterance.id, contextId: contextId, .complete))
        return finish(actions)
    }
}
