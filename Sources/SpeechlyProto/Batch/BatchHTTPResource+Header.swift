extension BatchHTTPResource {
    /// A header of a request.
    public struct Header: ProtoMessage {
        /// The full name in the schema.
        public static var messageName: String { "speechly.slu.v1.HttpResource.Header" }

        /// The header's name.
        public var name: String
        /// The header's value.
        public var value: String

        /// Makes a message with every field at its default.
        public init() {
            name = ""
            value = ""
        }

        /// Makes a message.
        public init(
            name: String = "",
            value: String = ""
        ) {
            self.name = name
            self.value = value
        }

        /// Reads fields into this message; see `ProtoMessage`.
        public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
            while let tag = try reader.nextTag() {
                switch tag {
                case 0x0A:  // name = 1
                    name = try reader.string()
                case 0x12:  // value = 2
                    value = try reader.string()
                default:
                    try reader.skip(tag)
                }
            }
        }

        /// Writes the fields, last to first; see `ProtoMessage`.
        public func encode(into writer: inout ProtoWriter) {
            writer.string(value, field: 2)
            writer.string(name, field: 1)
        }
    }
}
