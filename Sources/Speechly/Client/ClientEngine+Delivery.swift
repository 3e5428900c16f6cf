import Dispatch
import SpeechlyCore
import SpeechlySync

extension ClientEngine {
    /// Queues an event for the delegate and the sequences, under the lock.
    func notify(_ event: ClientEvent, _ state: inout State) {
        events.publish(event)
        if case .segmentUpdated(let segment) = event { segments.publish(segment) }
        if case .stateChanged(let change) = event { states.publish(change) }
        state.observer?(event)
        state.inbox.append(event)
        guard !state.isDraining else { return }
        state.isDraining = true
        deliveryQueue.async { [weak self] in self?.drain() }
    }

    /// Tells of a new state, under the lock.
    func notifyState(_ state: inout State) {
        guard let change = state.machine.stateChange() else { return }
        logger.log(.debug, "\(change.state), since \(change.reason)")
        notify(.stateChanged(change), &state)
    }

    /// Tells the delegate all that has come, and what comes meanwhile. No lock is held during a callback.
    private func drain() {
        while true {
            let batch = state.withLock { state -> [ClientEvent] in
                if state.inbox.isEmpty { state.isDraining = false }
                defer { state.inbox.removeAll(keepingCapacity: true) }
                return state.inbox
            }
            guard !batch.isEmpty else { return }
            for event in batch {
                // Asked each time: a callback may set another delegate, or release the client.
                let (client, delegate) = state.withLock { ($0.client, $0.delegate) }
                if let client, let delegate { Self.tell(delegate, client, event) }
            }
        }
    }

    private static func tell(_ delegate: SpeechlyDelegate, _ client: Client, _ event: ClientEvent) {
        switch event {
        case .contextStarted: delegate.speechlyClientDidStartContext(client)
        case .contextStopped: delegate.speechlyClientDidStopContext(client)
        case .segmentUpdated(let segment): delegate.speechlyClientDidUpdateSegment(client, segment: segment)
        case .transcript(let contextId, let segmentId, let transcript):
            delegate.speechlyClientDidReceiveTranscript(
                client, contextId: contextId, segmentId: segmentId, transcript: transcript)
        case .entity(let contextId, let segmentId, let entity):
            delegate.speechlyClientDidReceiveEntity(
                client, contextId: contextId, segmentId: segmentId, entity: entity)
        case .intent(let contextId, let segmentId, let intent):
            delegate.speechlyClientDidReceiveIntent(
                client, contextId: contextId, segmentId: segmentId, intent: intent)
        case .failure(let failure):
            delegate.speechlyClientDidCatchError(client, error: SpeechlyError(failure))
        case .speechStarted: delegate.speechlyClientDidStartSpeech(client)
        case .speechEnded: delegate.speechlyClientDidEndSpeech(client)
        case .warning(let warning): delegate.speechlyClientDidWarn(client, warning: warning)
        case .availabilityChanged(let isAvailable):
            delegate.speechlyClientDidChangeAvailability(client, isAvailable: isAvailable)
        case .stateChanged(let change): delegate.speechlyClient(client, didChangeState: change)
        case .dropped: break
        }
    }
}
