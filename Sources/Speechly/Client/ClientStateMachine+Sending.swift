import Foundation

/// What goes to the service, in order: directly while a stream is up, from the rings once one is.
extension ClientStateMachine {
    /// Puts an utterance's start in the order of commands, once no utterance before it can get more audio: on a stream,
    /// contexts follow one another. A source that was asked to stop may have audio left, and takes its time.
    mutating func queueStart(_ id: Int, _ actions: inout [Action]) {
        guard let index = index(of: id), !utterances[..<index].contains(where: { $0.capture != .ended }) else { return }
        utterances[index].isQueued = true
        if link == .up { emitAll(index, &actions) }
    }

    /// Queues what had to wait for an utterance that is over by now.
    mutating func queueWaiting(_ actions: inout [Action]) {
        for utterance in utterances where !utterance.isQueued && utterance.id != handover?.new {
            queueStart(utterance.id, &actions)
        }
    }

    mutating func queueAudio(_ data: Data, _ id: Int, _ actions: inout [Action]) {
        guard let index = index(of: id) else { return }
        utterances[index].ring.append(data)
        guard link == .up, !utterances[index].parts.isEmpty else { return }
        emit(.audio(utterance: id, data), &actions)
        utterances[index].ring.trim(to: replayLimit(utterances[index]))
        rotateIfDue(index, data, &actions)
    }

    mutating func queueStop(_ id: Int, _ actions: inout [Action]) {
        guard let index = index(of: id), link == .up, !utterances[index].parts.isEmpty else { return }
        emit(.stop(utterance: id), &actions)
    }

    /// How much audio of an utterance is kept, in bytes. A file comes faster than it is heard, and need not be read
    /// further than is kept (see `hasRoomToReplay`): of it, all that is not covered is kept, within reason.
    func replayLimit(_ utterance: Utterance) -> Int {
        guard utterance.source == .external else {
            return max(settings.maximumReplayBytes, utterance.contextId == nil ? settings.maximumBufferedBytes : 0)
        }
        return settings.contextLimit == nil ? bytes(Self.longestReplay) : .max
    }

    private mutating func emitStart(_ index: Int, _ actions: inout [Action]) {
        let utterance = utterances[index]
        var continuation = utterance.results.replay()
        let origin = utterance.contextId == nil ? 0 : min(bytes(continuation.origin), utterance.ring.end)
        continuation.origin = seconds(origin)
        utterances[index].parts = [Part(origin: origin, continuation: continuation)]
        emit(
            .start(utterance: utterance.id, appId: utterance.appId, options: utterance.options, from: origin), &actions)
    }

    mutating func emit(_ command: Command, _ actions: inout [Action]) {
        bytesInFlight += command.byteCount
        actions.append(.send(command, session: session))
    }

    /// Gives a new stream all that the ones before it have not answered for.
    mutating func emitEverything(_ actions: inout [Action]) {
        for index in utterances.indices where utterances[index].isQueued { emitAll(index, &actions) }
    }

    private mutating func emitAll(_ index: Int, _ actions: inout [Action]) {
        let before = bytesInFlight
        emitStart(index, &actions)
        let utterance = utterances[index]
        var position = max(utterance.parts[0].origin, utterance.ring.start)
        for data in utterance.ring.audio(from: utterance.parts[0].origin) {
            if isFull(utterances[index], at: position) { rotate(index, at: position, &actions) }
            emit(.audio(utterance: utterance.id, data), &actions)
            position += data.count
        }
        if utterance.contextId != nil { utterances[index].replayedBytes = bytesInFlight - before }
        if utterance.capture == .ended { emit(.stop(utterance: utterance.id), &actions) }
    }

    /// The sender has sent a command.
    mutating func sent(_ command: Command, session: Int, now: Duration) -> [Action] {
        guard session == self.session else { return [] }
        let hadRoom = hasRoomForAudio
        bytesInFlight -= command.byteCount
        if let index = index(of: command.utterance) {
            switch command {
            case .start: startSent(index, now)
            case .stop: stopSent(index, now)
            case .audio: utterances[index].replayedBytes = max(0, utterances[index].replayedBytes - command.byteCount)
            }
        }
        return finish(!hadRoom && hasRoomForAudio ? [.roomForAudio] : [])
    }

    /// Whether the service still wants a command: not when it has finished the context by itself.
    func wants(_ command: Command) -> Bool { index(of: command.utterance) != nil }

    private mutating func startSent(_ index: Int, _ now: Duration) {
        guard let part = utterances[index].parts.firstIndex(where: { !$0.isStartSent }) else { return }
        utterances[index].parts[part].isStartSent = true
        timeFirstPart(now)
    }

    private mutating func stopSent(_ index: Int, _ now: Duration) {
        guard let part = utterances[index].parts.firstIndex(where: { !$0.isStopSent }) else { return }
        utterances[index].parts[part].isStopSent = true
        timeFirstPart(now)
    }

    /// Whether nothing of an utterance has been given to the sender.
    func isUnsent(_ id: Int) -> Bool {
        index(of: id).map { utterances[$0].parts.isEmpty && utterances[$0].contextId == nil } ?? true
    }
}
