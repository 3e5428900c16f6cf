/// An option of a job.
public struct BatchOption: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.Option" }

    /// The option's name.
    public var key: String
    /// The option's values.
    public var value: [String]

    /// Makes a message with every field at its default.
    public init() {
        key = ""
        value = []
    }

    /// Makes a message.
    public init(
        key: String = "",
        value: [String] = []
    ) {
        self.key = key
        self.value = value
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // key = 1
                key = try reader.string()
            case 0x12:  // value = 2
                try reader.append(to: &value, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.strings(value, field: 2)
        writer.string(key, field: 1)
    }
}
