/// Scope of a token for one application.
public struct ApplicationScope: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v2.ApplicationScope" }

    /// The application, a UUID. Required.
    public var appId: String
    /// A configuration of the application; empty means the latest.
    public var configId: String

    /// Makes a message with every field at its default.
    public init() {
        appId = ""
        configId = ""
    }

    /// Makes a message.
    public init(appId: String = "", configId: String = "") {
        self.appId = appId
        self.configId = configId
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // app_id = 1
                appId = try reader.string()
            case 0x1A:  // config_id = 3
                configId = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(configId, field: 3)
        writer.string(appId, field: 1)
    }
}
