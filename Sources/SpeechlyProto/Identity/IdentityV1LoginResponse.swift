/// An access token, the older way.
public struct IdentityV1LoginResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v1.LoginResponse" }

    /// The token, a JWT.
    public var token: String

    /// Makes a message with every field at its default.
    public init() {
        token = ""
    }

    /// Makes a message.
    public init(
        token: String = ""
    ) {
        self.token = token
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // token = 1
                token = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(token, field: 1)
    }
}
