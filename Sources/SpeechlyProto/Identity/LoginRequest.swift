/// Asks for an access token for a device.
public struct LoginRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.identity.v2.LoginRequest" }

    /// What a token is asked for.
    public enum Scope: Sendable, Hashable {
        /// One application.
        case application(ApplicationScope)
        /// All applications of a project; each start then names one.
        case project(ProjectScope)
    }

    /// The device, a UUID. Required.
    public var deviceId: String
    /// What the token is for; required.
    public var scope: Scope?

    /// Makes a message with every field at its default.
    public init() {
        deviceId = ""
        scope = nil
    }

    /// Makes a message.
    public init(deviceId: String = "", scope: Scope? = nil) {
        self.deviceId = deviceId
        self.scope = scope
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // device_id = 1
                deviceId = try reader.string()
            case 0x12:  // application = 2
                var value = ApplicationScope()
                if case .application(let existing)? = scope {
                    value = existing
                    scope = nil
                }
                try reader.message(&value)
                scope = .application(value)
            case 0x1A:  // project = 3
                var value = ProjectScope()
                if case .project(let existing)? = scope {
                    value = existing
                    scope = nil
                }
                try reader.message(&value)
                scope = .project(value)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        switch scope {
        case .application(let value)?: writer.message(value, field: 2)
        case .project(let value)?: writer.message(value, field: 3)
        case nil: break
        }
        writer.string(deviceId, field: 1)
    }
}
