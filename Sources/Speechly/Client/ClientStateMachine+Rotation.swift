import Foundation

/// How a context that nears the service's limit gives way to a new one, while the host sees one.
extension ClientStateMachine {
    /// How long before the limit a pause is looked for.
    static let rotationWindow = 30.0
    /// How long before the limit a pause is no longer waited for.
    static let rotationReserve = 5.0
    /// How long a pause is, in seconds.
    static let rotationPause = 0.2
    /// Below this level (of 32,768) is a pause.
    static let rotationLevel = 300.0

    /// How much further than one context a source that can wait is read, in seconds.
    static let readAhead = 30.0
    /// The most audio of a source that can wait that is kept when the service knows no limit, in seconds.
    static let longestReplay = 3600.0

    /// Whether the utterance's last context gets no more audio than what lies before a position.
    func isFull(_ utterance: Utterance, at position: Int) -> Bool {
        guard let limit = settings.contextLimit?.seconds, let part = utterance.parts.last else { return false }
        return seconds(position - part.origin) >= limit - min(Self.rotationReserve, limit / 4)
    }

    /// Whether a source that can wait may be read on: not while the service has not yet answered for so much that it
    /// would not fit into one context and the beginning of the next.
    var hasRoomToReplay: Bool {
        guard let limit = settings.contextLimit, link == .up,
            let utterance = utterances.last(where: { $0.source == .external && $0.capture == .active })
        else { return true }
        let mayRotate = utterance.parts.count == 1 && utterance.parts[0].serviceId != nil
        return (mayRotate || !isFull(utterance, at: utterance.ring.end))
            && seconds(utterance.ring.count) < limit.seconds + Self.readAhead
    }

    /// How long the utterance's context has been, against the limit: `nil` while there is no need to look.
    private func timeLeft(_ utterance: Utterance) -> Double? {
        guard let limit = settings.contextLimit, utterance.capture == .active, utterance.parts.count == 1,
            let part = utterance.parts.first, part.serviceId != nil
        else { return nil }
        let left = limit.seconds - seconds(utterance.ring.end - part.origin)
        return left <= min(Self.rotationWindow, limit.seconds / 2) ? left : nil
    }

    mutating func rotateIfDue(_ index: Int, _ data: Data, _ actions: inout [Action]) {
        guard let limit = settings.contextLimit, let left = timeLeft(utterances[index]) else { return }
        utterances[index].quietBytes =
            Self.level(of: data) < Self.rotationLevel ? utterances[index].quietBytes + data.count : 0
        let isPause = seconds(utterances[index].quietBytes) >= Self.rotationPause
        if isPause || left <= min(Self.rotationReserve, limit.seconds / 4) {
            rotate(index, at: utterances[index].ring.end, &actions)
        }
    }

    /// A segment of the utterance has ended: the speaker is likely to have paused.
    mutating func segmentEnded(_ index: Int, _ actions: inout [Action]) {
        if utterances[index].source != .external, timeLeft(utterances[index]) != nil {
            rotate(index, at: utterances[index].ring.end, &actions)
        }
    }

    /// - Parameter origin: where in the utterance's audio the new context begins, in bytes.
    mutating func rotate(_ index: Int, at origin: Int, _ actions: inout [Action]) {
        let utterance = utterances[index]
        utterances[index].quietBytes = 0
        utterances[index].parts.append(
            Part(origin: origin, continuation: utterance.results.follow(origin: seconds(origin))))
        emit(.stop(utterance: utterance.id), &actions)
        emit(
            .start(utterance: utterance.id, appId: utterance.appId, options: utterance.options, from: origin), &actions)
    }

    /// The root of the mean square of 16-bit samples.
    private static func level(of data: Data) -> Double {
        data.withUnsafeBytes { bytes in
            var sum = 0.0
            let count = bytes.count / 2
            for index in 0..<count {
                let sample = Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
                sum += sample * sample
            }
            return count == 0 ? 0 : (sum / Double(count)).squareRoot()
        }
    }
}
