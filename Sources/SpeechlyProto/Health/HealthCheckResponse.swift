/// Says whether a service can be used.
public struct HealthCheckResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "grpc.health.v1.HealthCheckResponse" }

    /// Whether a service can be used. A value of a newer schema is kept.
    public struct ServingStatus: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Nothing is known.
        public static var unknown: ServingStatus { ServingStatus(rawValue: 0) }
        /// It can be used.
        public static var serving: ServingStatus { ServingStatus(rawValue: 1) }
        /// It cannot be used, for now or for good.
        public static var notServing: ServingStatus { ServingStatus(rawValue: 2) }
        /// There is no such service; only `Watch` says so.
        public static var serviceUnknown: ServingStatus { ServingStatus(rawValue: 3) }
    }

    /// Whether the service can be used.
    public var status: ServingStatus

    /// Makes a message with every field at its default.
    public init() {
        status = .unknown
    }

    /// Makes a message.
    public init(
        status: ServingStatus = .unknown
    ) {
        self.status = status
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x08:  // status = 1
                status = ServingStatus(rawValue: try reader.int32())
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(status.rawValue, field: 1)
    }
}
