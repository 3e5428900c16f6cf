import Foundation

/// The queue of commands to the service.
extension ClientStateMachine {
    mutating func enqueue(_ command: Command, _ actions: inout [Action]) {
        guard link == .up else {
            outbox.append(command)
            outboxBytes += command.byteCount
            return
        }
        emit(command, &actions)
    }

    /// Gives a command to the sender, and keeps it until the service has acknowledged the start before it.
    mutating func emit(_ command: Command, _ actions: inout [Action]) {
        bytesInFlight += command.byteCount
        if let index = index(of: command.utterance), utterances[index].contextId == nil {
            unacknowledgedBytes += command.byteCount
            if unacknowledgedBytes > settings.maximumBufferedBytes {
                unacknowledged = nil
            } else {
                unacknowledged?.append(command)
            }
        }
        actions.append(.send(command, session: session))
    }

    mutating func emitOutbox(_ actions: inout [Action]) {
        let commands = outbox
        outbox = []
        outboxBytes = 0
        for command in commands { emit(command, &actions) }
    }

    /// The sender has sent a command.
    mutating func sent(_ command: Command, session: Int, now: Duration) -> [Action] {
        guard session == self.session else { return [] }
        let hadRoom = hasRoomForAudio
        bytesInFlight -= command.byteCount
        switch command {
        case .start(let id, _, _):
            if let index = index(of: id), utterances[index].contextId == nil {
                utterances[index].deadline = now + settings.startTimeout
            }
        case .stop(let id):
            if let index = index(of: id) {
                utterances[index].isStopSent = true
                if utterances[index].contextId != nil {
                    utterances[index].deadline = now + settings.finishTimeout
                }
            }
        case .audio: break
        }
        return finish(!hadRoom && hasRoomForAudio ? [.roomForAudio] : [])
    }

    /// Whether nothing of an utterance has been given to the sender.
    func isUnsent(_ id: Int) -> Bool {
        if handover?.new == id { return true }
        return outbox.contains { command in
            if case .start(id, _, _) = command { return true }
            return false
        }
    }

    /// Forgets the commands of an utterance that are not sent.
    mutating func removeCommands(of id: Int) {
        outbox.removeAll { $0.utterance == id }
        outboxBytes = outbox.reduce(0) { $0 + $1.byteCount }
    }

    mutating func dropCommands() {
        outbox = []
        outboxBytes = 0
        bytesInFlight = 0
        forgetUnacknowledged()
    }

    mutating func forgetUnacknowledged() {
        unacknowledged = []
        unacknowledgedBytes = 0
    }

    /// The service has acknowledged the start of an utterance: nothing of it has to be sent again.
    mutating func acknowledge(_ id: Int) {
        guard utterances.contains(where: { $0.contextId == nil }) else { return forgetUnacknowledged() }
        unacknowledged?.removeAll { $0.utterance == id }
        unacknowledgedBytes = unacknowledged?.reduce(0) { $0 + $1.byteCount } ?? unacknowledgedBytes
    }

    /// Puts what was sent and not acknowledged back in front of the queue.
    mutating func sendAgain() {
        outbox = (unacknowledged ?? []) + outbox
        outboxBytes = outbox.reduce(0) { $0 + $1.byteCount }
        bytesInFlight = 0
        forgetUnacknowledged()
    }
}
