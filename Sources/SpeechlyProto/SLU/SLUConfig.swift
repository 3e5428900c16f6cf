/// How the audio of a stream is to be read.
public struct SLUConfig: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUConfig" }

    /// How audio is encoded. A value of a newer schema is kept.
    public struct Encoding: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// 16-bit signed little-endian samples.
        public static var linear16: Encoding { Encoding(rawValue: 0) }
    }

    /// The encoding of the audio.
    public var encoding: Encoding
    /// The number of channels. Required.
    public var channels: Int32
    /// The sample rate in Hz. Required.
    public var sampleRateHertz: Int32
    /// The language, BCP 47; empty means the application's.
    public var languageCode: String
    /// Options of all contexts of the stream.
    public var options: [Option]

    /// Makes a message with every field at its default.
    public init() {
        encoding = .linear16
        channels = 0
        sampleRateHertz = 0
        languageCode = ""
        options = []
    }

    /// Makes a message.
    public init(
        encoding: Encoding = .linear16,
        channels: Int32 = 0,
        sampleRateHertz: Int32 = 0,
        languageCode: String = "",
        options: [Option] = []
    ) {
        self.encoding = encoding
        self.channels = channels
        self.sampleRateHertz = sampleRateHertz
        self.languageCode = languageCode
        self.options = options
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x08:  // encoding = 1
                encoding = Encoding(rawValue: try reader.int32())
            case 0x10:  // channels = 2
                channels = try reader.int32()
            case 0x18:  // sample_rate_hertz = 3
                sampleRateHertz = try reader.int32()
            case 0x22:  // language_code = 4
                languageCode = try reader.string()
            case 0x2A:  // options = 5
                try reader.append(to: &options, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(options, field: 5)
        writer.string(languageCode, field: 4)
        writer.int32(sampleRateHertz, field: 3)
        writer.int32(channels, field: 2)
        writer.int32(encoding.rawValue, field: 1)
    }
}
