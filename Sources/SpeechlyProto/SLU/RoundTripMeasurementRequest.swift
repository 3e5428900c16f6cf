/// The server measures a round trip; to be answered at once.
public struct RoundTripMeasurementRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.RoundTripMeasurementRequest" }

    /// What the answer repeats.
    public var id: Int32

    /// Makes a message with every field at its default.
    public init() {
        id = 0
    }

    /// Makes a message.
    public init(id: Int32 = 0) {
        self.id = id
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x08:  // id = 1
                id = try reader.int32()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(id, field: 1)
    }
}
