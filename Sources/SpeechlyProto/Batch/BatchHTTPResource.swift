/// Something that is fetched or stored over HTTP.
public struct BatchHTTPResource: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.HttpResource" }

    /// A method of HTTP. A value of a newer schema is kept.
    public struct Method: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Not said.
        public static var invalid: Method { Method(rawValue: 0) }
        /// `GET`.
        public static var get: Method { Method(rawValue: 1) }
        /// `POST`.
        public static var post: Method { Method(rawValue: 2) }
        /// `PUT`.
        public static var put: Method { Method(rawValue: 3) }
    }

    /// Where it is.
    public var url: String
    /// The method of the request.
    public var method: Method
    /// The headers of the request.
    public var headers: [Header]

    /// Makes a message with every field at its default.
    public init() {
        url = ""
        method = .invalid
        headers = []
    }

    /// Makes a message.
    public init(
        url: String = "",
        method: Method = .invalid,
        headers: [Header] = []
    ) {
        self.url = url
        self.method = method
        self.headers = headers
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // url = 1
                url = try reader.string()
            case 0x10:  // method = 2
                method = Method(rawValue: try reader.int32())
            case 0x1A:  // headers = 3
                try reader.append(to: &headers, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(headers, field: 3)
        writer.int32(method.rawValue, field: 2)
        writer.string(url, field: 1)
    }
}
