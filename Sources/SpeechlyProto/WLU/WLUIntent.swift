/// The intent of a text.
public struct WLUIntent: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLUIntent" }

    /// The intent.
    public var intent: String

    /// Makes a message with every field at its default.
    public init() {
        intent = ""
    }

    /// Makes a message.
    public init(intent: String = "") {
        self.intent = intent
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // intent = 1
                intent = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(intent, field: 1)
    }
}
