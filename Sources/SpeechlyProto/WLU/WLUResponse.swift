/// The meaning of a text.
public struct WLUResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLUResponse" }

    /// The segments of the text, in order.
    public var segments: [WLUSegment]

    /// Makes a message with every field at its default.
    public init() {
        segments = []
    }

    /// Makes a message.
    public init(segments: [WLUSegment] = []) {
        self.segments = segments
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // segments = 1
                try reader.append(to: &segments, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(segments, field: 1)
    }
}
