/// A point in time (`google.protobuf.Timestamp`).
public struct ProtoTimestamp: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "google.protobuf.Timestamp" }

    /// Seconds since 1970 in UTC, negative before.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, 0 to 999,999,999.
    public var nanos: Int32

    /// Makes a message with every field at its default.
    public init() {
        seconds = 0
        nanos = 0
    }

    /// Makes a message.
    public init(seconds: Int64 = 0, nanos: Int32 = 0) {
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
