/// Asks for an access token for a device, the older way.
public struct IdentityV1LoginRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v1.LoginRequest" }

    /// The device, a UUID. Required.
    public var deviceId: String
    /// The application, a UUID. Required.
    public var appId: String
    /// The language that will be spoken, BCP 47; empty for the application's.
    public var languageCode: String
    /// The configuration; empty for the latest.
    public var configId: String

    /// Makes a message with every field at its default.
    public init() {
        deviceId = ""
        appId = ""
        languageCode = ""
        configId = ""
    }

    /// Makes a message.
    public init(
        deviceId: String = "",
        appId: String = "",
        languageCode: String = "",
        configId: String = ""
    ) {
        self.deviceId = deviceId
        self.appId = appId
        self.languageCode = languageCode
        self.configId = configId
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // device_id = 1
                deviceId = try reader.string()
            case 0x12:  // app_id = 2
                appId = try reader.string()
            case 0x1A:  // language_code = 3
                languageCode = try reader.string()
            case 0x22:  // config_id = 4
                configId = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(configId, field: 4)
        writer.string(languageCode, field: 3)
        writer.string(appId, field: 2)
        writer.string(deviceId, field: 1)
    }
}
