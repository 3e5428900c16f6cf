/// What the audio of a job is.
public struct BatchAudioConfiguration: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.AudioConfiguration" }

    /// How samples are written. A value of a newer schema is kept.
    public struct Encoding: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Not said.
        public static var invalid: Encoding { Encoding(rawValue: 0) }
        /// 16-bit signed PCM, little-endian.
        public static var linear16: Encoding { Encoding(rawValue: 1) }
    }

    /// How samples are written.
    public var encoding: Encoding
    /// The number of channels.
    public var channels: Int32
    /// Samples per second.
    public var sampleRateHertz: Int32
    /// The languages that may be spoken, BCP 47.
    public var languageCodes: [String]

    /// Makes a message with every field at its default.
    public init() {
        encoding = .invalid
        channels = 0
        sampleRateHertz = 0
        languageCodes = []
    }

    /// Makes a message.
    public init(
        encoding: Encoding = .invalid,
        channels: Int32 = 0,
        sampleRateHertz: Int32 = 0,
        languageCodes: [String] = []
    ) {
        self.encoding = encoding
        self.channels = channels
        self.sampleRateHertz = sampleRateHertz
        self.languageCodes = languageCodes
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
            case 0x22:  // language_codes = 4
                try reader.append(to: &languageCodes, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.strings(languageCodes, field: 4)
        writer.int32(sampleRateHertz, field: 3)
        writer.int32(channels, field: 2)
        writer.int32(encoding.rawValue, field: 1)
    }
}
