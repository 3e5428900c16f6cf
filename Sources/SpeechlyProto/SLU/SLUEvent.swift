/// Starts or stops an audio context, the older way.
public struct SLUEvent: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUEvent" }

    /// What an event means. A value of a newer schema is kept.
    public struct EventType: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The context starts.
        public static var start: EventType { EventType(rawValue: 0) }
        /// The context stops.
        public static var stop: EventType { EventType(rawValue: 1) }
    }

    /// Start or stop.
    public var event: EventType
    /// The application, where the token is for a project.
    public var appId: String

    /// Makes a message with every field at its default.
    public init() {
        event = .start
        appId = ""
    }

    /// Makes a message.
    public init(event: EventType = .start, appId: String = "") {
        self.event = event
        self.appId = appId
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x08:  // event = 1
                event = EventType(rawValue: try reader.int32())
            case 0x12:  // app_id = 2
                appId = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(appId, field: 2)
        writer.int32(event.rawValue, field: 1)
    }
}
