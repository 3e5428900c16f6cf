/// A part of a context that carries one intent.
///
/// "book a restaurant and send an invitation to John" has two segments, "book a restaurant" and "send an
/// invitation to John". A segment that is not final may mix final and tentative parts; a final one holds final
/// parts only and never changes again.
public struct Segment: Hashable, Sendable, Identifiable {
    /// The identifier of the segment, unique among all contexts: `contextId-segmentId`.
    public var id: String { "\(contextId)-\(segmentId)" }

    /// The number of the segment within its context.
    public let segmentId: Int

    /// The identifier of the context the segment belongs to.
    public let contextId: String

    /// Whether the segment is final.
    public var isFinal: Bool

    /// The intent of the segment; `Intent.Empty` until there is one.
    public var intent: Intent

    /// The entities of the segment, always in order.
    public var entities: [Entity] {
        didSet { entities.sortIfNeeded() }
    }

    /// The words of the segment, always in order.
    public var transcripts: [Transcript] {
        didSet { transcripts.sortIfNeeded() }
    }

    /// Creates an empty tentative segment.
    ///
    /// - Parameters:
    ///   - segmentId: the number of the segment within its context.
    ///   - contextId: the identifier of the context it belongs to.
    public init(segmentId: Int, contextId: String) {
        self.init(
            segmentId: segmentId, contextId: contextId, isFinal: false, intent: .Empty, entities: [], transcripts: [])
    }

    /// Creates a segment from its parts. Whether the parts agree with `isFinal` is not checked.
    ///
    /// - Parameters:
    ///   - segmentId: the number of the segment within its context.
    ///   - contextId: the identifier of the context it belongs to.
    ///   - isFinal: whether the segment is final.
    ///   - intent: the intent of the segment.
    ///   - entities: the entities of the segment, in any order.
    ///   - transcripts: the words of the segment, in any order.
    public init(
        segmentId: Int,
        contextId: String,
        isFinal: Bool,
        intent: Intent,
        entities: [Entity],
        transcripts: [Transcript]
    ) {
        self.segmentId = segmentId
        self.contextId = contextId
        self.isFinal = isFinal
        self.intent = intent
        self.entities = entities
        self.transcripts = transcripts
        self.entities.sortIfNeeded()
        self.transcripts.sortIfNeeded()
    }
}

extension Segment: Comparable {
    /// Orders by context, then by number; ties by isFinal, intent, entities and transcripts.
    public static func < (lhs: Segment, rhs: Segment) -> Bool {
        if lhs.contextId != rhs.contextId { return lhs.contextId < rhs.contextId }
        if lhs.segmentId != rhs.segmentId { return lhs.segmentId < rhs.segmentId }
        if lhs.isFinal != rhs.isFinal { return rhs.isFinal }
        if lhs.intent != rhs.intent { return lhs.intent < rhs.intent }
        if lhs.entities != rhs.entities { return lhs.entities.lexicographicallyPrecedes(rhs.entities) }
        return lhs.transcripts.lexicographicallyPrecedes(rhs.transcripts)
    }
}

extension Segment: Codable {
    private enum CodingKeys: String, CodingKey {
        case segmentId, contextId, isFinal, intent, entities, transcripts
    }

    /// Decodes a segment; entities and words may come in any order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            segmentId: try container.decode(Int.self, forKey: .segmentId),
            contextId: try container.decode(String.self, forKey: .contextId),
            isFinal: try container.decode(Bool.self, forKey: .isFinal),
            intent: try container.decode(Intent.self, forKey: .intent),
            entities: try container.decode([Entity].self, forKey: .entities),
            transcripts: try container.decode([Transcript].self, forKey: .transcripts))
    }
}

extension Array where Element: Comparable {
    /// Sorts, unless the array is in order already, which is the usual case and costs no copy.
    mutating func sortIfNeeded() {
        for (previous, next) in zip(self, dropFirst()) where next < previous {
            sort()
            return
        }
    }
}
