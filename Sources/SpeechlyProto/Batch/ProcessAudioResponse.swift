/// A job that was taken.
public struct ProcessAudioResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.ProcessAudioResponse" }

    /// The job.
    public var operation: BatchOperation?

    /// Makes a message with every field at its default.
    public init() {
        operation = nil
    }

    /// Makes a message.
    public init(
        operation: BatchOperation? = nil
    ) {
        self.operation = operation
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // operation = 1
                var value = operation ?? BatchOperation()
                operation = nil
                try reader.message(&value)
                operation = value
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        if let operation { writer.message(operation, field: 1) }
    }
}
