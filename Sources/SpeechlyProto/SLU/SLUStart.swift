/// Starts an audio context.
public struct SLUStart: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUStart" }

    /// The application, where the token is for a project.
    public var appId: String
    /// Options of this context only.
    public var options: [Option]

    /// Makes a message with every field at its default.
    public init() {
        appId = ""
        options = []
    }

    /// Makes a message.
    public init(appId: String = "", options: [Option] = []) {
        self.appId = appId
        self.options = options
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // app_id = 1
                appId = try reader.string()
            case 0x12:  // options = 2
                try reader.append(to: &options, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(options, field: 2)
        writer.string(appId, field: 1)
    }
}
