/// What becomes of time that passes.
extension ClientStateMachine {
    /// Times what the service owes next. It works in order, so it cannot be late with a context while it is still
    /// busy with one before: only the first on the stream is timed, and the next one from when that is finished.
    mutating func timeFirstPart(_ now: Duration) {
        guard let index = utterances.firstIndex(where: { !$0.parts.isEmpty }) else { return }
        let part = utterances[index].parts[0]
        guard part.deadline == nil else { return }
        if part.serviceId == nil {
            if part.isStartSent { utterances[index].parts[0].deadline = now + settings.startTimeout }
        } else if part.isStopSent {
            utterances[index].parts[0].deadline = now + settings.finishTimeout
        }
    }

    /// The service has sent something, whatever it is about: it is at work.
    mutating func serviceHeard(now: Duration) {
        guard let index = utterances.firstIndex(where: { !$0.parts.isEmpty }),
            utterances[index].parts[0].serviceId != nil, utterances[index].parts[0].deadline != nil
        else { return }
        utterances[index].parts[0].deadline = now + settings.finishTimeout
    }

    /// A time that was asked for has come.
    mutating func timerFired(now: Duration) -> [Action] {
        timer = nil
        var actions: [Action] = []
        expectedRecorderStops.removeAll { $0 <= now }
        if let handover, handover.deadline <= now {
            // The recorder does not report the end of the old recording: what came is the new one's.
            hand(handover, to: handover.new, &actions, now: now)
        }
        for utterance in utterances {
            if let deadline = utterance.captureDeadline, deadline <= now, handover == nil {
                expectRecorderStop(now)
                endCapture(utterance.id, &actions, now: now)
            }
        }
        if let deadline = reconnectDeadline, deadline <= now, link == .waiting { logIn(renew: false, &actions) }
        for index in utterances.indices {
            guard let late = utterances[index].parts.first(where: { $0.deadline.map { $0 <= now } ?? false })
            else { continue }
            let wasStarted = late.serviceId != nil
            let failure = Failure.silence(
                wasStarted: wasStarted, after: wasStarted ? settings.finishTimeout : settings.startTimeout,
                at: settings.place)
            actions.append(.disconnect)
            // A service that has stopped answering within a context may be one that is gone.
            if utterances[index].contextId != nil, !utterances[index].hasTimedOut {
                utterances[index].hasTimedOut = true
                lose(.lost(failure), &actions, now: now)
            } else {
                failEverything(failure, &actions, now: now)
            }
            break
        }
        return finish(actions)
    }

    /// Goes on with what waited for this event, and adds a timer for what has to happen next, unless one is set that
    /// fires no later.
    mutating func finish(_ actions: [Action]) -> [Action] {
        var actions = actions
        queueWaiting(&actions)
        var next = handover?.deadline
        func consider(_ deadline: Duration?) {
            if let deadline { next = next.map { min($0, deadline) } ?? deadline }
        }
        expectedRecorderStops.forEach(consider)
        consider(reconnectDeadline)
        for utterance in utterances {
            for part in utterance.parts { consider(part.deadline) }
            if handover == nil { consider(utterance.captureDeadline) }
        }
        guard let next, timer.map({ next < $0 }) ?? true else { return actions }
        timer = next
        return actions + [.schedule(at: next)]
    }
}
