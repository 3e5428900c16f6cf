/// Asks how far a job is, by one of the two.
public struct QueryStatusRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.QueryStatusRequest" }

    /// What the service calls the job.
    public var id: String
    /// What the caller calls the job.
    public var reference: String

    /// Makes a message with every field at its default.
    public init() {
        id = ""
        reference = ""
    }

    /// Makes a message.
    public init(
        id: String = "",
        reference: String = ""
    ) {
        self.id = id
        self.reference = reference
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // id = 1
                id = try reader.string()
            case 0x12:  // reference = 2
                reference = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(reference, field: 2)
        writer.string(id, field: 1)
    }
}
