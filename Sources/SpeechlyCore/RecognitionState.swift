/// What has been recognised so far in all contexts of a stream.
///
/// A pure state: messages in, changes out. It holds the contexts between their `started` and their `finished`.
public struct RecognitionState: Hashable, Sendable {
    private var contexts: [String: [Int: Segment]] = [:]
    /// The last few contexts that finished, so that a late message for one is told from one out of nowhere.
    private var finished: [String] = []
    private static let finishedLimit = 64

    /// Creates a state without contexts.
    public init() {}

    /// The identifiers of the contexts that have started and not finished, in order.
    public var openContextIds: [String] { contexts.keys.sorted() }

    /// An open context with all its segments, final or not; `nil` when no context of that name is open.
    public func context(id: String) -> AudioContext? {
        contexts[id].map { AudioContext(id: id, segments: $0.values.sorted()) }
    }

    /// Ends a context for which no `finished` will come, such as one whose stream broke.
    ///
    /// - Parameter id: the identifier of the context.
    /// - Returns: the context with its final segments, or `nil` when no context of that name is open.
    public mutating func abandonContext(id: String) -> AudioContext? {
        guard let segments = contexts.removeValue(forKey: id) else { return nil }
        remember(finished: id)
        return Self.finalContext(id: id, segments: segments)
    }

    /// Takes a message.
    ///
    /// - Parameter message: a message of the service.
    /// - Returns: what the message changed.
    public mutating func apply(_ message: RecognitionMessage) -> RecognitionChange {
        let id = message.contextId
        switch message.content {
        case .started:
            if contexts[id] != nil { return reject(message, .contextAlreadyStarted) }
            if finished.contains(id) { return reject(message, .contextFinished) }
            contexts[id] = [:]
            return .contextStarted(contextId: id)
        case .finished:
            guard let segments = contexts.removeValue(forKey: id) else { return rejectUnopened(message) }
            remember(finished: id)
            return .contextFinished(Self.finalContext(id: id, segments: segments))
        default:
            guard contexts[id] != nil else { return rejectUnopened(message) }
            let update = contexts[id, default: [:]][
                message.segmentId, default: Segment(segmentId: message.segmentId, contextId: id)
            ].take(message.content)
            guard let update else { return reject(message, .segmentAlreadyFinal) }
            return .segmentUpdated(update)
        }
    }

    private mutating func remember(finished id: String) {
        if finished.count == Self.finishedLimit { finished.removeFirst() }
        finished.append(id)
    }

    private func rejectUnopened(_ message: RecognitionMessage) -> RecognitionChange {
        reject(message, finished.contains(message.contextId) ? .contextFinished : .unknownContext)
    }

    private func reject(_ message: RecognitionMessage, _ reason: RecognitionError.Reason) -> RecognitionChange {
        .rejected(
            RecognitionError(
                reason: reason, messageName: message.content.name,
                contextId: message.contextId, segmentId: message.segmentId))
    }

    private static func finalContext(id: String, segments: [Int: Segment]) -> AudioContext {
        AudioContext(id: id, segments: segments.values.filter(\.isFinal).sorted())
    }
}
