import SpeechlyCore

/// What the service says about its contexts, and what that is to the host.
extension ClientStateMachine {
    /// Whether a start waits for the service to start its context.
    var awaitsContext: Bool { awaitingPart != nil }

    /// Whether the next context that the service starts continues one that the host knows.
    var resumesContext: Bool { awaitingPart.map { utterances[$0.utterance].contextId != nil } ?? false }

    private var awaitingPart: (utterance: Int, part: Int)? {
        guard link == .up else { return nil }
        for (number, utterance) in utterances.enumerated() {
            if let part = utterance.parts.firstIndex(where: { $0.serviceId == nil }) { return (number, part) }
        }
        return nil
    }

    /// Whether a context belongs to a stream that is gone.
    func isRetired(_ contextId: String) -> Bool { retired.contains(contextId) }

    /// The service has started a context.
    ///
    /// - Returns: `nil` when no start waits for it.
    mutating func contextStarted(_ contextId: String, now: Duration) -> [Action]? {
        guard let (index, part) = awaitingPart else { return nil }
        let hadRoom = hasRoomForAudio
        utterances[index].parts[part].serviceId = contextId
        utterances[index].parts[part].deadline = nil
        timeFirstPart(now)
        serviceHeard(now: now)
        linkSince = linkSince ?? now
        reason = .contextStarted
        let room: [Action] = !hadRoom && hasRoomForAudio ? [.roomForAudio] : []
        guard utterances[index].contextId == nil else { return finish(room) }
        utterances[index].contextId = contextId
        return finish([.started(utterance: utterances[index].id, contextId: contextId)] + room)
    }

    private func find(_ serviceId: String) -> (utterance: Int, part: Int)? {
        for (number, utterance) in utterances.enumerated() {
            if let part = utterance.parts.firstIndex(where: { $0.serviceId == serviceId }) { return (number, part) }
        }
        return nil
    }

    /// Brings a message about a started context into the host's terms.
    ///
    /// - Returns: what the host's context gets: nothing, one message, or several that had to wait.
    mutating func results(
        of message: RecognitionMessage, now: Duration, _ actions: inout [Action]
    ) -> [RecognitionMessage] {
        serviceHeard(now: now)
        guard let (index, part) = find(message.contextId), let contextId = utterances[index].contextId else {
            return [message]
        }
        let hadRoom = hasRoomForAudio
        defer { if !hadRoom, hasRoomForAudio { actions.append(.roomForAudio) } }
        guard part == 0 else {
            utterances[index].parts[part].held.append(message)
            return []
        }
        if message.content == .finished, utterances[index].parts.count > 1 {
            defer { actions = finish(actions) }
            return takeOver(index, &actions, now: now)
        }
        return take(message, index, contextId, &actions).map { [$0] } ?? []
    }

    private mutating func take(
        _ message: RecognitionMessage, _ index: Int, _ contextId: String, _ actions: inout [Action]
    ) -> RecognitionMessage? {
        if message.content == .finished { return RecognitionMessage(contextId: contextId, content: .finished) }
        var context = utterances[index].parts[0].continuation
        let taken = utterances[index].results.take(message.content, segment: message.segmentId, from: &context)
        utterances[index].parts[0].continuation = context
        guard let (segment, content) = taken else { return nil }
        switch content {
        case .segmentEnd:
            noteProgress(index)
            utterances[index].ring.release(upTo: bytes(utterances[index].results.covered))
            segmentEnded(index, &actions)
        case .transcript: noteProgress(index)
        default: break
        }
        return RecognitionMessage(contextId: contextId, segmentId: segment, content: content)
    }

    /// Something new is final: what comes now is not the same trouble again.
    private mutating func noteProgress(_ index: Int) {
        backoff.reset()
        utterances[index].hasLoggedInAgain = false
    }

    /// The first of two contexts of an utterance is complete: the second is heard from now on.
    private mutating func takeOver(
        _ index: Int, _ actions: inout [Action], now: Duration
    ) -> [RecognitionMessage] {
        let contextId = utterances[index].contextId ?? ""
        if let id = utterances[index].parts[0].serviceId { retire(id) }
        utterances[index].parts.removeFirst()
        let origin = utterances[index].parts[0].origin
        utterances[index].results.complete(upTo: seconds(origin))
        utterances[index].ring.release(upTo: origin)
        utterances[index].parts[0].continuation = utterances[index].results.follow(origin: seconds(origin))
        let held = utterances[index].parts[0].held
        utterances[index].parts[0].held = []
        timeFirstPart(now)
        return held.compactMap { take($0, index, contextId, &actions) }
    }

    /// The service has finished a context that the host knows.
    mutating func contextFinished(_ contextId: String, now: Duration) -> [Action] {
        guard let index = utterances.firstIndex(where: { $0.contextId == contextId }) else { return [] }
        let utterance = utterances[index]
        reason = .contextFinished
        var actions: [Action] = []
        if handover?.old == utterance.id { settleHandover(&actions, now: now) }
        abandonCapture(utterance, &actions, now: now)
        utterances.removeAll { $0.id == utterance.id }
        if utterances.isEmpty { backoff.reset() }
        timeFirstPart(now)
        actions.append(.stopped(utterance: utterance.id, contextId: contextId, .complete))
        return finish(actions)
    }

    mutating func retire(_ serviceId: String) {
        if retired.count == 64 { retired.removeFirst() }
        retired.append(serviceId)
    }
}
