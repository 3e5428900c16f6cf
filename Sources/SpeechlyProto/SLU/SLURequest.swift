/// What a client sends on the SLU stream. The configuration comes first.
public struct SLURequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLURequest" }

    /// The members of `streamingRequest`.
    public enum StreamingRequest: Sendable, Hashable {
        /// The stream's configuration: the first message.
        case config(SLUConfig)
        /// Start or stop, the older way.
        case event(SLUEvent)
        /// A piece of audio: 16-bit little-endian samples.
        case audio([UInt8])
        /// The answer to a round trip measurement.
        case rttResponse(RoundTripMeasurementResponse)
        /// Starts an audio context.
        case start(SLUStart)
        /// Stops the audio context.
        case stop(SLUStop)
    }

    /// What is requested; `nil` when it is something this version does not know.
    public var streamingRequest: StreamingRequest?

    /// Makes a message with every field at its default.
    public init() {
        streamingRequest = nil
    }

    /// Makes a message.
    public init(streamingRequest: StreamingRequest? = nil) {
        self.streamingRequest = streamingRequest
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // config = 1
                var value = SLUConfig()
                if case .config(let existing)? = streamingRequest {
                    value = existing
                    streamingRequest = nil
                }
                try reader.message(&value)
                streamingRequest = .config(value)
            case 0x12:  // event = 2
                var value = SLUEvent()
                if case .event(let existing)? = streamingRequest {
                    value = existing
                    streamingRequest = nil
                }
                try reader.message(&value)
                streamingRequest = .event(value)
            case 0x1A:  // audio = 3
                streamingRequest = .audio(try reader.byteArray())
            case 0x22:  // rtt_response = 4
                var value = RoundTripMeasurementResponse()
                if case .rttResponse(let existing)? = streamingRequest {
                    value = existing
                    streamingRequest = nil
                }
                try reader.message(&value)
                streamingRequest = .rttResponse(value)
            case 0x2A:  // start = 5
                var value = SLUStart()
                if case .start(let existing)? = streamingRequest {
                    value = existing
                    streamingRequest = nil
                }
                try reader.message(&value)
                streamingRequest = .start(value)
            case 0x32:  // stop = 6
                var value = SLUStop()
                if case .stop(let existing)? = streamingRequest {
                    value = existing
                    streamingRequest = nil
                }
                try reader.message(&value)
                streamingRequest = .stop(value)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        switch streamingRequest {
        case .config(let value)?: writer.message(value, field: 1)
        case .event(let value)?: writer.message(value, field: 2)
        case .audio(let value)?: value.withUnsafeBytes { writer.element($0, field: 3) }
        case .rttResponse(let value)?: writer.message(value, field: 4)
        case .start(let value)?: writer.message(value, field: 5)
        case .stop(let value)?: writer.message(value, field: 6)
        case nil: break
        }
    }
}

extension SLURequest {
    /// Encodes a request that carries audio straight from where the audio lies: it is copied once, and nothing is
    /// allocated when `writer` has held as much before. Same bytes as `.audio` gives.
    public static func encodeAudio(_ pcm: UnsafeRawBufferPointer, into writer: inout ProtoWriter) {
        writer.element(pcm, field: 3)
    }
}
