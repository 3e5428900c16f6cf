/// Hands in a file of audio, or a piece of one.
public struct ProcessAudioRequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.ProcessAudioRequest" }

    /// Where audio comes from.
    public enum Source: Sendable, Hashable {
        /// The audio itself, or its next piece.
        case audio([UInt8])
        /// Where the audio is.
        case uri(String)
        /// How the audio is fetched over HTTP.
        case httpSource(BatchHTTPResource)
    }

    /// Where a result goes.
    public enum Destination: Sendable, Hashable {
        /// Where the result is stored.
        case resultsUri(String)
        /// How the result is stored over HTTP.
        case httpResult(BatchHTTPResource)
    }

    /// The application. Only the first request of a call counts.
    public var appId: String
    /// The device that the audio is from.
    public var deviceId: String
    /// What the audio is. Only the first request of a call counts.
    public var config: BatchAudioConfiguration?
    /// Where the audio comes from.
    public var source: Source?
    /// Where the result goes, other than into the status of the job.
    public var destination: Destination?
    /// What the caller calls the job.
    public var reference: String
    /// Options of the job.
    public var options: [BatchOption]

    /// Makes a message with every field at its default.
    public init() {
        appId = ""
        deviceId = ""
        config = nil
        source = nil
        destination = nil
        reference = ""
        options = []
    }

    /// Makes a message.
    public init(
        appId: String = "",
        deviceId: String = "",
        config: BatchAudioConfiguration? = nil,
        source: Source? = nil,
        destination: Destination? = nil,
        reference: String = "",
        options: [BatchOption] = []
    ) {
        self.appId = appId
        self.deviceId = deviceId
        self.config = config
        self.source = source
        self.destination = destination
        self.reference = reference
        self.options = options
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // app_id = 1
                appId = try reader.string()
            case 0x12:  // config = 2
                var value = config ?? BatchAudioConfiguration()
                config = nil
                try reader.message(&value)
                config = value
            case 0x1A:  // audio = 3
                source = .audio(try reader.byteArray())
            case 0x22:  // uri = 4
                source = .uri(try reader.string())
            case 0x2A:  // results_uri = 5
                destination = .resultsUri(try reader.string())
            case 0x32:  // reference = 6
                reference = try reader.string()
            case 0x3A:  // options = 7
                try reader.append(to: &options, tag: tag)
            case 0x42:  // device_id = 8
                deviceId = try reader.string()
            case 0x4A:  // http_source = 9
                var value = BatchHTTPResource()
                if case .httpSource(let existing)? = source {
                    value = existing
                    source = nil
                }
                try reader.message(&value)
                source = .httpSource(value)
            case 0x52:  // http_result = 10
                var value = BatchHTTPResource()
                if case .httpResult(let existing)? = destination {
                    value = existing
                    destination = nil
                }
                try reader.message(&value)
                destination = .httpResult(value)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        if case .httpResult(let value)? = destination { writer.message(value, field: 10) }
        if case .httpSource(let value)? = source { writer.message(value, field: 9) }
        writer.string(deviceId, field: 8)
        writer.messages(options, field: 7)
        writer.string(reference, field: 6)
        if case .resultsUri(let value)? = destination { writer.element(value, field: 5) }
        if case .uri(let value)? = source { writer.element(value, field: 4) }
        if case .audio(let value)? = source { value.withUnsafeBytes { writer.element($0, field: 3) } }
        if let config { writer.message(config, field: 2) }
        writer.string(appId, field: 1)
    }
}
