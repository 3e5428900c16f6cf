import Foundation

/// What the owner of the client asks for.
extension ClientStateMachine {
    /// A context is to start.
    ///
    /// - Parameter id: the number of the request; greater than all before.
    mutating func start(
        id: Int, appId: String?, options: ContextOptions, source: Source, now: Duration
    ) -> [Action] {
        reason = .requested
        guard !isClosed else { return [.failed(utterance: id, .clientClosed)] }
        guard !isSuspended else { return [.failed(utterance: id, .clientSuspended)] }
        guard !settings.needsAppId || appId?.isEmpty == false else {
            return [.failed(utterance: id, .appIdMissing)]
        }
        if let failure = options.failure { return [.failed(utterance: id, failure)] }
        guard utterances.count < settings.maximumUtterances else {
            return [.failed(utterance: id, .tooManyContexts(utterances.count))]
        }
        let new = Utterance(id: id, appId: appId, options: options, source: source)
        permanentFailure = nil
        var actions: [Action] = []
        if let current = listening {
            guard current.source == .microphone, source == .microphone else {
                return [.failed(utterance: id, .busy)]
            }
            if (current.appId ?? "").lowercased() == (appId ?? "").lowercased() {
                return [.join(utterance: current.id, request: id)]
            }
            settleHandover(&actions, now: now)
            endCapture(current.id, &actions, now: now)
            utterances.append(new)
            queueStart(id, &actions)
        } else if let old = utterances.last(where: { $0.capture == .tail && $0.source == .microphone }) {
            settleHandover(&actions, now: now)
            utterances.append(new)
            if source == .microphone {
                handover = Handover(old: old.id, new: id, deadline: now + settings.recorderRestartTimeout)
                actions.append(.startRecorder(utterance: id))
            } else {
                expectRecorderStop(now)
                endCapture(old.id, &actions, now: now)
                queueStart(id, &actions)
            }
        } else {
            utterances.append(new)
            if source == .microphone { actions.append(.startRecorder(utterance: id)) }
            queueStart(id, &actions)
        }
        if link == .down { logIn(renew: false, &actions) }
        return finish(actions)
    }

    /// The context that is open for audio is to stop.
    mutating func stop(now: Duration) -> [Action] {
        guard let current = listening, let index = index(of: current.id) else { return [] }
        reason = .requested
        utterances[index].capture = .tail
        if current.source == .detector {
            var actions: [Action] = []
            endCapture(current.id, &actions, now: now)
            return finish(actions)
        }
        guard current.source == .microphone else { return [.stopSource(utterance: current.id)] }
        utterances[index].captureDeadline = now + settings.recorderStopTimeout
        return finish([.stopRecorder])
    }

    /// Everything is to end.
    mutating func suspend(now: Duration) -> [Action] {
        guard !isSuspended, !isClosed else { return [] }
        isSuspended = true
        if isRecording { expectRecorderStop(now) }
        return finish(endEverything(.clientSuspended) + [.suspendRecorder])
    }

    /// The client is to work again.
    ///
    /// - Returns: whether it was suspended.
    mutating func resume() -> Bool {
        reason = .requested
        permanentFailure = nil
        defer { isSuspended = false }
        return isSuspended
    }

    /// The client goes away for good.
    mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        return endEverything(.clientClosed)
    }

    /// The login is to be made ahead of time.
    mutating func prepare() -> [Action] {
        var actions: [Action] = []
        if link == .down, !isClosed { logIn(renew: false, &actions) }
        return actions
    }

    private mutating func endEverything(_ failure: Failure) -> [Action] {
        var actions: [Action] = []
        if link != .down { actions.append(.disconnect) }
        takeDown()
        reason = .requested
        permanentFailure = nil
        handover = nil
        for utterance in utterances {
            if utterance.source == .external, utterance.capture != .ended {
                actions.append(.stopSource(utterance: utterance.id))
            }
            if let contextId = utterance.contextId {
                actions.append(.stopped(utterance: utterance.id, contextId: contextId, .ended(failure)))
            } else {
                actions.append(.failed(utterance: utterance.id, failure))
            }
        }
        utterances = []
        return actions
    }
}
