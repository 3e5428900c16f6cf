/// A thing named in the speech, with a type from the application's configuration.
///
/// In "book a burger restaurant for tomorrow", "burger restaurant" could be an entity of type
/// `restaurant_type` and "tomorrow" one of type `date`. An entity covers the words whose index lies in
/// `startIndex ..< endIndex`.
public struct Entity: Hashable, Sendable, Codable, Identifiable {
    /// What tells an entity from the others of its segment: the words it covers, and its type.
    public struct ID: Hashable, Sendable, Codable {
        /// The index of the first word.
        public let start: Int

        /// The index after the last word.
        public let end: Int

        /// The type of the entity.
        public let type: String

        /// Creates an identifier.
        ///
        /// - Parameters:
        ///   - start: the index of the first word.
        ///   - end: the index after the last word.
        ///   - type: the type of the entity.
        public init(start: Int, end: Int, type: String) {
            self.start = start
            self.end = end
            self.type = type
        }
    }

    /// The identifier of the entity, unique within its segment.
    public var id: ID { ID(start: startIndex, end: endIndex, type: type) }

    /// The value of the entity, as the service normalised it.
    public let value: String

    /// The type (class) of the entity, as the application's configuration names it.
    public let type: String

    /// The index of the entity's first word.
    public let startIndex: Int

    /// The index after the entity's last word.
    public let endIndex: Int

    /// Whether the entity is final. One that is not final may still change or disappear.
    public let isFinal: Bool

    /// Creates an entity.
    ///
    /// - Parameters:
    ///   - value: the value of the entity.
    ///   - type: the type of the entity.
    ///   - startIndex: the index of its first word.
    ///   - endIndex: the index after its last word.
    ///   - isFinal: whether the entity is final.
    public init(value: String, type: String, startIndex: Int, endIndex: Int, isFinal: Bool) {
        self.value = value
        self.type = type
        self.startIndex = startIndex
        self.endIndex = endIndex
        self.isFinal = isFinal
    }
}

extension Entity {
    /// Whether both entities claim a word in common. A range without words counts as its first word,
    /// because some services send `n ..< n` for the one word `n`.
    func overlaps(_ other: Entity) -> Bool {
        startIndex == other.startIndex || (startIndex < other.endIndex && other.startIndex < endIndex)
    }
}

extension Entity.ID: Comparable {
    /// Orders by start, then end, then type.
    public static func < (lhs: Entity.ID, rhs: Entity.ID) -> Bool {
        if lhs.start != rhs.start { return lhs.start < rhs.start }
        if lhs.end != rhs.end { return lhs.end < rhs.end }
        return lhs.type < rhs.type
    }
}

extension Entity: Comparable {
    /// Orders by `id` (start, end, type); ties by value, and tentative before final.
    public static func < (lhs: Entity, rhs: Entity) -> Bool {
        if lhs.id != rhs.id { return lhs.id < rhs.id }
        if lhs.value != rhs.value { return lhs.value < rhs.value }
        return !lhs.isFinal && rhs.isFinal
    }
}
