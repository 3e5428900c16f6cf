/// The meaning of several texts.
public struct TextsResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.TextsResponse" }

    /// The meanings, in the order of the texts.
    public var responses: [WLUResponse]

    /// Makes a message with every field at its default.
    public init() {
        responses = []
    }

    /// Makes a message.
    public init(responses: [WLUResponse] = []) {
        self.responses = responses
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // responses = 1
                try reader.append(to: &responses, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(responses, field: 1)
    }
}
