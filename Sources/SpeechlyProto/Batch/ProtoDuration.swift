/// A span of time (`google.protobuf.Duration`).
public struct ProtoDuration: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "google.protobuf.Duration" }

    /// Whole seconds.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, of the same sign.
    public var nanos: Int32

    /// Makes a message with every field at its default.
    public init() {
        seconds = 0
        nanos = 0
    }

    /// Makes a message.
    public init(
        seconds: Int64 = 0,
        nanos: Int32 = 0
    ) {
        self.seconds = seconds
        self.nanos = nanos
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x08:  // seconds = 1
                seconds = try reader.int64()
            case 0x10:  // nanos = 2
                nanos = try reader.int32()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(nanos, field: 2)
        writer.int64(seconds, field: 1)
    }
}
