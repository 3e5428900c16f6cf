/// Asks whether a service can be used.
public struct HealthCheckRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "grpc.health.v1.HealthCheckRequest" }

    /// The full name of the service; empty for the server as a whole.
    public var service: String

    /// Makes a message with every field at its default.
    public init() {
        service = ""
    }

    /// Makes a message.
    public init(
        service: String = ""
    ) {
        self.service = service
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // service = 1
                service = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(service, field: 1)
    }
}
