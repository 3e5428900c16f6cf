/// Everything recognised between one start and one stop.
public struct AudioContext: Hashable, Sendable, Identifiable {
    /// The identifier the service gave the context.
    public let id: String

    /// The segments of the context, always in order; empty when nothing was recognised.
    public var segments: [Segment] {
        didSet { segments.sortIfNeeded() }
    }

    /// Creates an empty context.
    ///
    /// - Parameter id: the identifier of the context.
    public init(id: String) {
        self.init(id: id, segments: [])
    }

    /// Creates a context from its segments. Whether they carry this context's `id` is not checked.
    ///
    /// - Parameters:
    ///   - id: the identifier of the context.
    ///   - segments: the segments of the context, in any order.
    public init(id: String, segments: [Segment]) {
        self.id = id
        self.segments = segments
        self.segments.sortIfNeeded()
    }
}

extension AudioContext: Comparable {
    /// Orders by `id`; ties by the segments.
    public static func < (lhs: AudioContext, rhs: AudioContext) -> Bool {
        if lhs.id != rhs.id { return lhs.id < rhs.id }
        return lhs.segments.lexicographicallyPrecedes(rhs.segments)
    }
}

extension AudioContext: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, segments
    }

    /// Decodes a context; its segments may come in any order.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            segments: try container.decode([Segment].self, forKey: .segments))
    }
}
