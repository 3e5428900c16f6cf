import SpeechlyCore
import SpeechlyGRPC
import SpeechlyProto

extension ClientEngine: SluStreamObserver {
    func sluClientDidCatchError(_ sluClient: any SluClientProtocol, error: any Error) {
        handle { _ in
            [.report(error is ProtoError ? .message(error) : .transport(error, "the stream failed", at: place))]
        }
    }

    func sluClientDidHearService(_ sluClient: SluClient) {
        handle { state in
            state.machine.serviceHeard(now: clock.now)
            return []
        }
    }

    func sluClient(_ sluClient: SluClient, didStopStream streamId: Int?, status: GRPCStatus) {
        streamEnded(streamId, status)
    }

    func sluClientDidStopStream(_ sluClient: any SluClientProtocol, status: GRPCStatus) {
        streamEnded(nil, status)
    }

    private func streamEnded(_ session: Int?, _ status: GRPCStatus) {
        let end = ClientStateMachine.StreamEnd(status, at: place)
        handle { $0.machine.streamEnded(session: session, end, now: clock.now) }
    }

    func sluClientDidReceiveContextStart(_ sluClient: any SluClientProtocol, contextId: String) {
        take(contextId, 0, .started)
    }

    func sluClientDidReceiveContextStop(_ sluClient: any SluClientProtocol, contextId: String) {
        take(contextId, 0, .finished)
    }

    func sluClientDidReceiveSegmentEnd(_ sluClient: any SluClientProtocol, contextId: String, segmentId: Int) {
        take(contextId, segmentId, .segmentEnd)
    }

    func sluClientDidReceiveTentativeTranscript(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, transcript: SLUTentativeTranscript
    ) {
        let words = transcript.tentativeWords.map { SpeechlyCore.Transcript($0, isFinal: false) }
        take(contextId, segmentId, .tentativeTranscript(words))
    }

    func sluClientDidReceiveTentativeEntities(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, entities: SLUTentativeEntities
    ) {
        let list = entities.tentativeEntities.map { SpeechlyCore.Entity($0, isFinal: false) }
        take(contextId, segmentId, .tentativeEntities(list))
    }

    func sluClientDidReceiveTentativeIntent(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, intent: SLUIntent
    ) {
        take(contextId, segmentId, .tentativeIntent(SpeechlyCore.Intent(value: intent.intent, isFinal: false)))
    }

    func sluClientDidReceiveTranscript(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, transcript: SLUTranscript
    ) {
        take(contextId, segmentId, .transcript(SpeechlyCore.Transcript(transcript, isFinal: true)))
    }

    func sluClientDidReceiveEntity(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, entity: SLUEntity
    ) {
        take(contextId, segmentId, .entity(SpeechlyCore.Entity(entity, isFinal: true)))
    }

    func sluClientDidReceiveIntent(
        _ sluClient: any SluClientProtocol, contextId: String, segmentId: Int, intent: SLUIntent
    ) {
        take(contextId, segmentId, .intent(SpeechlyCore.Intent(value: intent.intent, isFinal: true)))
    }

    private func take(_ contextId: String, _ segmentId: Int, _ content: RecognitionMessage.Content) {
        let message = RecognitionMessage(contextId: contextId, segmentId: segmentId, content: content)
        handle { state in take(message, &state) }
    }

    private func take(_ message: RecognitionMessage, _ state: inout State) -> [ClientStateMachine.Action] {
        let id = message.contextId
        // A stream that is given up may say a few things more; its successor says them again.
        if state.machine.isRetired(id) { return [] }
        if message.content == .started { return start(message, &state) }
        var actions: [ClientStateMachine.Action] = []
        for message in state.machine.results(of: message, now: clock.now, &actions) {
            actions += apply(message, &state)
        }
        return actions
    }

    private func start(_ message: RecognitionMessage, _ state: inout State) -> [ClientStateMachine.Action] {
        let id = message.contextId
        guard state.machine.awaitsContext else {
            return [.report(.message(UnexpectedStart(contextId: id), contextId: id))]
        }
        if !state.machine.resumesContext, case .rejected(let error) = state.recognition.apply(message) {
            return [.report(.message(error, contextId: id))]
        }
        return state.machine.contextStarted(id, now: clock.now) ?? []
    }

    private func apply(_ message: RecognitionMessage, _ state: inout State) -> [ClientStateMachine.Action] {
        let id = message.contextId
        switch state.recognition.apply(message) {
        case .rejected(let error): return [.report(.message(error, contextId: id))]
        case .contextStarted: return []
        case .contextFinished(let context):
            state.finishedContexts[id] = context
            defer { state.finishedContexts[id] = nil }
            let actions = state.machine.contextFinished(id, now: clock.now)
            for action in actions { perform(action, &state) }
            return []
        case .segmentUpdated(let update):
            let segment = update.segment.segmentId
            for word in update.transcripts { notify(.transcript(contextId: id, segmentId: segment, word), &state) }
            for entity in update.entities { notify(.entity(contextId: id, segmentId: segment, entity), &state) }
            if let intent = update.intent { notify(.intent(contextId: id, segmentId: segment, intent), &state) }
            notify(.segmentUpdated(update.segment), &state)
            return []
        }
    }
}

/// A context that the service started without having been asked.
private struct UnexpectedStart: Error, CustomStringConvertible {
    let contextId: String

    var description: String { "started for context \"\(contextId)\", for which there was no start; ignored" }
}
