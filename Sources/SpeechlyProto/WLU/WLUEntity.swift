/// An entity of a text.
public struct WLUEntity: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLUEntity" }

    /// The entity's type.
    public var entity: String
    /// The value, normalised.
    public var value: String
    /// The index of the first word.
    public var startPosition: Int32
    /// The index of the word after the last.
    public var endPosition: Int32

    /// Makes a message with every field at its default.
    public init() {
        entity = ""
        value = ""
        startPosition = 0
        endPosition = 0
    }

    /// Makes a message.
    public init(entity: String = "", value: String = "", startPosition: Int32 = 0, endPosition: Int32 = 0) {
        self.entity = entity
        self.value = value
        self.startPosition = startPosition
        self.endPosition = endPosition
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // entity = 1
                entity = try reader.string()
            case 0x12:  // value = 2
                value = try reader.string()
            case 0x18:  // start_position = 3
                startPosition = try reader.int32()
            case 0x20:  // end_position = 4
                endPosition = try reader.int32()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(endPosition, field: 4)
        writer.int32(startPosition, field: 3)
        writer.string(value, field: 2)
        writer.string(entity, field: 1)
    }
}
