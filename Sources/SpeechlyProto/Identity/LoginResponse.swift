/// An access token.
public struct LoginResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v2.LoginResponse" }

    /// The token, a JWT, to be sent as `authorization: Bearer …`.
    public var token: String
    /// How long the token is valid, in seconds from now.
    public var validForS: UInt32
    /// When the token expires, in seconds since 1970.
    public var expiresAtEpoch: UInt64
    /// When the token expires, ISO 8601 in UTC.
    public var expiresAt: String

    /// Makes a message with every field at its default.
    public init() {
        token = ""
        validForS = 0
        expiresAtEpoch = 0
        expiresAt = ""
    }

    /// Makes a message.
    public init(token: String = "", validForS: UInt32 = 0, expiresAtEpoch: UInt64 = 0, expiresAt: String = "") {
        self.token = token
        self.validForS = validForS
        self.expiresAtEpoch = expiresAtEpoch
        self.expiresAt = expiresAt
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // token = 1
                token = try reader.string()
            case 0x10:  // valid_for_s = 2
                validForS = try reader.uint32()
            case 0x18:  // expires_at_epoch = 3
                expiresAtEpoch = try reader.uint64()
            case 0x22:  // expires_at = 4
                expiresAt = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(expiresAt, field: 4)
        writer.uint64(expiresAtEpoch, field: 3)
        writer.uint32(validForS, field: 2)
        writer.string(token, field: 1)
    }
}
