/// The context is finished.
public struct SLUFinished: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUFinished" }

    /// Deprecated: errors are gRPC statuses.
    public var error: SLUError?

    /// Makes a message with every field at its default.
    public init() {
        error = nil
    }

    /// Makes a message.
    public init(error: SLUError? = nil) {
        self.error = error
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x12:  // error = 2
                var value = error ?? SLUError()
                error = nil
                try reader.message(&value)
                error = value
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        if let error { writer.message(error, field: 2) }
    }
}
