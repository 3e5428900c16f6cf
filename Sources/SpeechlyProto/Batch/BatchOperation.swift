/// A job, and how far it is.
public struct BatchOperation: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.Operation" }

    /// How far a job is. A value of a newer schema is kept.
    public struct Status: RawRepresentable, Sendable, Hashable {
        /// The number on the wire.
        public var rawValue: Int32

        /// Makes a value, known or not, of its number on the wire.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Not said.
        public static var invalid: Status { Status(rawValue: 0) }
        /// It waits for its turn.
        public static var queued: Status { Status(rawValue: 1) }
        /// Its audio is being heard.
        public static var processing: Status { Status(rawValue: 2) }
        /// It is done.
        public static var done: Status { Status(rawValue: 3) }
        /// It failed.
        public static var error: Status { Status(rawValue: 4) }
        /// Its audio is looked at.
        public static var analysing: Status { Status(rawValue: 5) }
        /// It waits for a recogniser.
        public static var waitingDecoder: Status { Status(rawValue: 6) }
    }

    /// What the service calls the job.
    public var id: String
    /// What the caller calls the job.
    public var reference: String
    /// How far the job is.
    public var status: Status
    /// The language of the audio, BCP 47.
    public var languageCode: String
    /// The application.
    public var appId: String
    /// The device that the audio is from.
    public var deviceId: String
    /// The words, once the job is done.
    public var transcripts: [BatchTranscript]
    /// Why the job failed.
    public var error: String
    /// How long the audio is.
    public var duration: ProtoDuration?

    /// Makes a message with every field at its default.
    public init() {
        id = ""
        reference = ""
        status = .invalid
        languageCode = ""
        appId = ""
        deviceId = ""
        transcripts = []
        error = ""
        duration = nil
    }

    /// Makes a message.
    public init(
        id: String = "",
        reference: String = "",
        status: Status = .invalid,
        languageCode: String = "",
        appId: String = "",
        deviceId: String = "",
        transcripts: [BatchTranscript] = [],
        error: String = "",
        duration: ProtoDuration? = nil
    ) {
        self.id = id
        self.reference = reference
        self.status = status
        self.languageCode = languageCode
        self.appId = appId
        self.deviceId = deviceId
        self.transcripts = transcripts
        self.error = error
        self.duration = duration
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // id = 1
                id = try reader.string()
            case 0x12:  // reference = 2
                reference = try reader.string()
            case 0x18:  // status = 3
                status = Status(rawValue: try reader.int32())
            case 0x22:  // language_code = 4
                languageCode = try reader.string()
            case 0x2A:  // app_id = 5
                appId = try reader.string()
            case 0x32:  // device_id = 6
                deviceId = try reader.string()
            case 0x3A:  // transcripts = 7
                try reader.append(to: &transcripts, tag: tag)
            case 0x42:  // error = 8
                error = try reader.string()
            case 0x4A:  // duration = 9
                var value = duration ?? ProtoDuration()
                duration = nil
                try reader.message(&value)
                duration = value
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        if let duration { writer.message(duration, field: 9) }
        writer.string(error, field: 8)
        writer.messages(transcripts, field: 7)
        writer.string(deviceId, field: 6)
        writer.string(appId, field: 5)
        writer.string(languageCode, field: 4)
        writer.int32(status.rawValue, field: 3)
        writer.string(reference, field: 2)
        writer.string(id, field: 1)
    }
}
