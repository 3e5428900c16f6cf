import Dispatch
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

extension SluClient {
    /// Takes an event of a stream, on the transport's thread.
    func handle(_ event: BidirectionalCall.Event, generation: Int) {
        switch event {
        case .initialMetadata: break
        case .message(let bytes): receive(bytes, generation)
        case .writable:
            let waiters = state.withLock { state in
                state.writableCount += 1
                defer { state.roomWaiters.removeAll() }
                return state.roomWaiters
            }
            for waiter in waiters.values { waiter.resume() }
        case .end(let status): end(status, generation)
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ generation: Int) {
        let response: SLUResponse
        do {
            response = try SLUResponse(serializedBytes: bytes)
        } catch {
            settings.logger.log(.warning, "\(error)")
            return deliver(.badMessage(error), generation)
        }
        settings.logger.log(.wire, "received \(bytes.count) bytes of SLUResponse")
        switch response.streamingResponse {
        case nil: break
        case .rttRequest(let request)?:
            // Ahead of queued audio: the service measures the way, not the queue.
            state.withLock { state in
                guard state.generation == generation else { return }
                let answer = SLURequest.StreamingRequest.rttResponse(RoundTripMeasurementResponse(id: request.id))
                _ = Self.send(answer, urgent: true, &state)
            }
        case .started?:
            let isExpected = state.withLock { state in
                state.generation == generation && state.machine.started(contextId: response.audioContext)
            }
            if !isExpected {
                settings.logger.log(.warning, "the service started context \(response.audioContext) without a start")
            }
        case .finished?:
            let actions = state.withLock { state in
                state.generation == generation
                    ? state.machine.finished(contextId: response.audioContext, now: clock.now) : []
            }
            perform(actions)
        default: break
        }
        deliver(.response(response), generation)
    }

    private func end(_ status: GRPCStatus, _ generation: Int) {
        var streamId: Int?
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.generation == generation, state.call != nil else { return nil }
            streamId = state.streamId
            state.endStatus = status.isOk || state.machine.isClosing ? nil : status
            state.machine.ended()
            state.call = nil
            defer {
                state.roomWaiters.removeAll()
                state.endWaiters.removeAll()
            }
            return Array(state.roomWaiters.values) + Array(state.endWaiters.values)
        }
        guard let waiters else { return }
        settings.logger.log(.debug, "SLU stream ended: \(status.redacted)")
        // Told first, so that whoever waits for a send hears of it after the delegate.
        deliver(.end(status, streamId: streamId), nil)
        for waiter in waiters { waiter.resume() }
    }

    /// - Parameter generation: drops what belongs to a stream that has been replaced; `nil` delivers in any case.
    private func deliver(_ delivery: Delivery, _ generation: Int?) {
        guard let delegateQueue else {
            let delegate = state.withLock { generation == nil || $0.generation == generation ? $0.delegate : nil }
            if let delegate { tell(delegate, delivery) }
            return
        }
        let needsDrain = state.withLock { state in
            guard generation == nil || state.generation == generation else { return false }
            state.inbox.append(delivery)
            guard !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        if needsDrain { delegateQueue.async { [weak self] in self?.drain() } }
    }

    /// Tells the delegate all that has come, and what comes meanwhile.
    private func drain() {
        var batch: [Delivery] = []
        while true {
            let hasMore = state.withLock { state in
                batch.removeAll(keepingCapacity: true)
                swap(&batch, &state.inbox)
                if batch.isEmpty { state.isDraining = false }
                return !batch.isEmpty
            }
            guard hasMore else { return }
            for delivery in batch {
                // Asked each time: the delegate may be changed in a callback.
                if let delegate = delegate { tell(delegate, delivery) }
            }
        }
    }

    private func tell(_ delegate: SluClientDelegate, _ delivery: Delivery) {
        switch delivery {
        case .response(let response): tell(delegate, response)
        case .badMessage(let error): delegate.sluClientDidCatchError(self, error: error)
        case .end(let status, let streamId):
            if let observer = delegate as? any SluStreamObserver {
                observer.sluClient(self, didStopStream: streamId, status: status)
            } else {
                delegate.sluClientDidStopStream(self, status: status)
            }
        }
    }

    private func tell(_ delegate: SluClientDelegate, _ response: SLUResponse) {
        let contextId = response.audioContext
        let segmentId = Int(response.segmentId)
        switch response.streamingResponse {
        case .started?: delegate.sluClientDidReceiveContextStart(self, contextId: contextId)
        case .finished?: delegate.sluClientDidReceiveContextStop(self, contextId: contextId)
        case .segmentEnd?:
            delegate.sluClientDidReceiveSegmentEnd(self, contextId: contextId, segmentId: segmentId)
        case .tentativeTranscript(let transcript)?:
            delegate.sluClientDidReceiveTentativeTranscript(
                self, contextId: contextId, segmentId: segmentId, transcript: transcript)
        case .tentativeEntities(let entities)?:
            delegate.sluClientDidReceiveTentativeEntities(
                self, contextId: contextId, segmentId: segmentId, entities: entities)
        case .tentativeIntent(let intent)?:
            delegate.sluClientDidReceiveTentativeIntent(
                self, contextId: contextId, segmentId: segmentId, intent: intent)
        case .transcript(let transcript)?:
            delegate.sluClientDidReceiveTranscript(
                self, contextId: contextId, segmentId: segmentId, transcript: transcript)
        case .entity(let entity)?:
            delegate.sluClientDidReceiveEntity(self, contextId: contextId, segmentId: segmentId, entity: entity)
        case .intent(let intent)?:
            delegate.sluClientDidReceiveIntent(self, contextId: contextId, segmentId: segmentId, intent: intent)
        case .rttRequest?, nil: (delegate as? any SluStreamObserver)?.sluClientDidHearService(self)
        }
    }
}
