/// All entities of a segment that may still change.
public struct SLUTentativeEntities: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUTentativeEntities" }

    /// The entities.
    public var tentativeEntities: [SLUEntity]

    /// Makes a message with every field at its default.
    public init() {
        tentativeEntities = []
    }

    /// Makes a message.
    public init(tentativeEntities: [SLUEntity] = []) {
        self.tentativeEntities = tentativeEntities
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // tentative_entities = 1
                try reader.append(to: &tentativeEntities, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(tentativeEntities, field: 1)
    }
}
