/// What a message changed in a `RecognitionState`.
public enum RecognitionChange: Hashable, Sendable {
    /// A context has begun.
    case contextStarted(contextId: String)
    /// A segment is new or different.
    case segmentUpdated(SegmentUpdate)
    /// A context is complete; it holds its final segments, and the state has forgotten it.
    case contextFinished(AudioContext)
    /// The message broke the protocol and changed nothing.
    case rejected(RecognitionError)
}

/// A segment after a message, with the parts that the message brought.
public struct SegmentUpdate: Hashable, Sendable {
    /// The whole segment as it is now.
    public var segment: Segment
    /// The words taken from the message. A tentative word in the place of a final one is not taken.
    public var transcripts: [Transcript]
    /// The entities taken from the message. A tentative entity over a final one is not taken.
    public var entities: [Entity]
    /// The intent taken from the message, if there was one. A tentative intent after a final one is not taken.
    public var intent: Intent?

    /// Creates an update.
    ///
    /// - Parameters:
    ///   - segment: the whole segment as it is now.
    ///   - transcripts: the words taken from the message.
    ///   - entities: the entities taken from the message.
    ///   - intent: the intent taken from the message.
    public init(
        segment: Segment, transcripts: [Transcript] = [], entities: [Entity] = [], intent: Intent? = nil
    ) {
        self.segment = segment
        self.transcripts = transcripts
        self.entities = entities
        self.intent = intent
    }
}

/// A message that does not fit what came before it.
public struct RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why the message does not fit.
    public enum Reason: String, Hashable, Sendable {
        /// No `started` has come for the context.
        case unknownContext
        /// `finished` has come for the context before.
        case contextFinished
        /// `started` has come for the context before.
        case contextAlreadyStarted
        /// `segment_end` has come for the segment before.
        case segmentAlreadyFinal
    }

    /// Why the message does not fit.
    public let reason: Reason
    /// The name of the message in the schema, such as `transcript`.
    public let messageName: String
    /// The context the message names.
    public let contextId: String
    /// The segment the message names.
    public let segmentId: Int

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: why the message does not fit.
    ///   - messageName: the name of the message in the schema.
    ///   - contextId: the context the message names.
    ///   - segmentId: the segment the message names.
    public init(reason: Reason, messageName: String, contextId: String, segmentId: Int) {
        self.reason = reason
        self.messageName = messageName
        self.contextId = contextId
        self.segmentId = segmentId
    }

    /// What came, for what, and why it was ignored.
    public var description: String {
        let place = "\(messageName) for context \"\(contextId)\""
        switch reason {
        case .unknownContext: return "\(place), which was never started; ignored"
        case .contextFinished: return "\(place), which has finished; ignored"
        case .contextAlreadyStarted: return "\(place), which has started already; ignored"
        case .segmentAlreadyFinal: return "\(place), segment \(segmentId), which is final already; ignored"
        }
    }
}
