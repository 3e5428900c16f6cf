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
        if isPause || left <= min(Self.rotationReserve, limit.seconds / 4) { rotate(index, &actions) }
    }

    /// A segment of the utterance has ended: the speaker is likely to have paused.
    mutating func segmentEnded(_ index: Int, _ actions: inout [Action]) {
        if utterances[index].source != .external, timeLeft(utterances[index]) != nil { rotate(index, &actions) }
    }

    private mutating func rotate(_ index: Int, _ actions: inout [Action]) {
        let utterance = utterances[index]
        let origin = utterance.ring.end
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
