/// One message of the service about one context, free of the wire format.
public struct RecognitionMessage: Hashable, Sendable {
    /// What a message says.
    public enum Content: Hashable, Sendable {
        /// The context has begun.
        case started
        /// All words of the segment that are not final yet; replaces the previous list.
        case tentativeTranscript([Transcript])
        /// All entities of the segment that are not final yet; replaces the previous list.
        case tentativeEntities([Entity])
        /// The intent of the segment as it looks now.
        case tentativeIntent(Intent)
        /// A final word.
        case transcript(Transcript)
        /// A final entity.
        case entity(Entity)
        /// The final intent.
        case intent(Intent)
        /// The segment is complete.
        case segmentEnd
        /// The context is complete.
        case finished
    }

    /// The identifier of the context.
    public var contextId: String

    /// The number of the segment; without meaning for `started` and `finished`.
    public var segmentId: Int

    /// What the message says.
    public var content: Content

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - contextId: the identifier of the context.
    ///   - segmentId: the number of the segment; 0 for `started` and `finished`.
    ///   - content: what the message says.
    public init(contextId: String, segmentId: Int = 0, content: Content) {
        self.contextId = contextId
        self.segmentId = segmentId
        self.content = content
    }
}

extension RecognitionMessage.Content {
    /// The name of the message in the schema, for errors.
    var name: String {
        switch self {
        case .started: return "started"
        case .tentativeTranscript: return "tentative_transcript"
        case .tentativeEntities: return "tentative_entities"
        case .tentativeIntent: return "tentative_intent"
        case .transcript: return "transcript"
        case .entity: return "entity"
        case .intent: return "intent"
        case .segmentEnd: return "segment_end"
        case .finished: return "finished"
        }
    }
}
