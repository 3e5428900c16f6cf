/// Asks for the meaning of several texts.
public struct TextsRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.TextsRequest" }

    /// The application. Required.
    public var appId: String
    /// The texts.
    public var requests: [WLURequest]

    /// Makes a message with every field at its default.
    public init() {
        appId = ""
        requests = []
    }

    /// Makes a message.
    public init(appId: String = "", requests: [WLURequest] = []) {
        self.appId = appId
        self.requests = requests
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // app_id = 1
                appId = try reader.string()
            case 0x12:  // requests = 2
                try reader.append(to: &requests, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(requests, field: 2)
        writer.string(appId, field: 1)
    }
}
