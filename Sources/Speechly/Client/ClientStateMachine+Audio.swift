import Foundation

/// What the recorder and other sources of audio do.
extension ClientStateMachine {
    /// Whether the recorder is recording for an utterance.
    var isRecording: Bool { utterances.contains { $0.source == .microphone && $0.capture != .ended } }

    /// The recorder has captured audio.
    mutating func recorded(_ data: Data, now: Duration) -> [Action] {
        guard !data.isEmpty else { return [] }
        if handover != nil {
            handover?.audio.append(data)
            return []
        }
        // Its number alone: a copy of it would have its ring copied with each piece that is added.
        guard let target = utterances.last(where: { $0.source == .microphone && $0.capture != .ended })?.id else {
            return []
        }
        var actions: [Action] = []
        add(data, to: target, &actions)
        giveUpWhatIsTooLong(&actions, now: now)
        return actions.isEmpty ? [] : finish(actions)
    }

    /// The recorder has stopped.
    mutating func recorderStopped(now: Duration) -> [Action] {
        var actions: [Action] = []
        if !expectedRecorderStops.isEmpty {
            expectedRecorderStops.removeFirst()
        } else if let handover {
            hand(handover, to: handover.old, &actions, now: now)
        } else if let current = utterances.last(where: { $0.source == .microphone && $0.capture != .ended }) {
            if current.capture == .active { reason = .audioEnded }
            endCapture(current.id, &actions, now: now)
        }
        return finish(actions)
    }

    /// The recorder could not start for an utterance.
    mutating func recorderFailedToStart(utterance id: Int, _ failure: Failure, now: Duration) -> [Action] {
        guard let index = index(of: id), utterances[index].capture != .ended else { return [.report(failure)] }
        var actions: [Action] = []
        settleHandover(&actions, now: now)
        if isUnsent(id) {
            utterances.remove(at: index)
            actions.append(.failed(utterance: id, failure))
        } else {
            if utterances[index].capture == .active { reason = .failed(failure) }
            endCapture(id, &actions, now: now)
            actions.append(.report(failure))
        }
        return finish(actions)
    }

    /// An external source has audio.
    mutating func supplied(_ data: Data, utterance id: Int) -> [Action] {
        guard let index = index(of: id), utterances[index].capture != .ended, !data.isEmpty else { return [] }
        var actions: [Action] = []
        queueAudio(data, id, &actions)
        return finish(actions)
    }

    /// An external source has ended.
    ///
    /// - Parameter why: why, unless it was asked to stop.
    mutating func sourceEnded(
        utterance id: Int, because why: ClientStateChange.Reason = .audioEnded, now: Duration
    ) -> [Action] {
        guard let index = index(of: id), utterances[index].capture != .ended else { return [] }
        if utterances[index].capture == .active { reason = why }
        var actions: [Action] = []
        endCapture(id, &actions, now: now)
        return finish(actions)
    }

    mutating func add(_ data: Data, to id: Int, _ actions: inout [Action]) {
        guard let index = index(of: id) else { return }
        guard hasRoom(for: data.count, of: utterances[index]) else {
            if !utterances[index].hasLostAudio {
                utterances[index].hasLostAudio = true
                actions.append(.report(.audioLost(bytes: settings.maximumBufferedBytes, isUp: link == .up)))
            }
            return
        }
        utterances[index].hasLostAudio = false
        queueAudio(data, id, &actions)
    }

    private func hasRoom(for count: Int, of utterance: Utterance) -> Bool {
        // While a stream is made anew for a context, the ring is what bounds its audio.
        if link != .up, utterance.contextId != nil { return true }
        return waitingBytes + count <= settings.maximumBufferedBytes + utterance.replayedBytes
    }

    /// Gives the audio that came during a handover to one of its sides, and goes on with the new one.
    mutating func hand(_ handover: Handover, to id: Int, _ actions: inout [Action], now: Duration) {
        self.handover = nil
        if id == handover.old {
            for data in handover.audio { add(data, to: id, &actions) }
        }
        endCapture(handover.old, &actions, now: now)
        guard index(of: handover.new) != nil else { return }
        queueStart(handover.new, &actions)
        if id == handover.new {
            for data in handover.audio { add(data, to: id, &actions) }
        }
    }

    /// Ends a handover before the recorder has spoken: what came so far is the old recording's.
    mutating func settleHandover(_ actions: inout [Action], now: Duration) {
        guard let handover else { return }
        expectRecorderStop(now)
        hand(handover, to: handover.old, &actions, now: now)
    }

    mutating func expectRecorderStop(_ now: Duration) {
        expectedRecorderStops.append(now + settings.recorderStopTimeout)
    }

    /// The utterance gets no more audio.
    mutating func endCapture(_ id: Int, _ actions: inout [Action], now: Duration) {
        guard let index = index(of: id), utterances[index].capture != .ended else { return }
        utterances[index].capture = .ended
        utterances[index].captureDeadline = nil
        queueStop(id, &actions)
    }
}
