/// An error of a context. Deprecated: errors are gRPC statuses.
public struct SLUError: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUError" }

    /// The error's code.
    public var code: String
    /// What went wrong.
    public var message: String

    /// Makes a message with every field at its default.
    public init() {
        code = ""
        message = ""
    }

    /// Makes a message.
    public init(code: String = "", message: String = "") {
        self.code = code
        self.message = message
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // code = 1
                code = try reader.string()
            case 0x12:  // message = 2
                message = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(message, field: 2)
        writer.string(code, field: 1)
    }
}
