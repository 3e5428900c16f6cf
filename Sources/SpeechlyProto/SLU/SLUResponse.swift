/// What the server sends on the SLU stream.
public struct SLUResponse: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUResponse" }

    /// The members of `streamingResponse`.
    public enum StreamingResponse: Sendable, Hashable {
        /// A final word.
        case transcript(SLUTranscript)
        /// A final entity.
        case entity(SLUEntity)
        /// The final intent.
        case intent(SLUIntent)
        /// The segment is final.
        case segmentEnd(SLUSegmentEnd)
        /// All words of the segment that may still change.
        case tentativeTranscript(SLUTentativeTranscript)
        /// All entities of the segment that may still change.
        case tentativeEntities(SLUTentativeEntities)
        /// An intent that may still change.
        case tentativeIntent(SLUIntent)
        /// The context has started.
        case started(SLUStarted)
        /// The context is finished: no more results.
        case finished(SLUFinished)
        /// The server measures a round trip.
        case rttRequest(RoundTripMeasurementRequest)
    }

    /// The id of the audio context, a UUID.
    public var audioContext: String
    /// The segment in the context; 0 in `started` and `finished`.
    public var segmentId: Int32
    /// What is said; `nil` when it is something this version does not know.
    public var streamingResponse: StreamingResponse?

    /// Makes a message with every field at its default.
    public init() {
        audioContext = ""
        segmentId = 0
        streamingResponse = nil
    }

    /// Makes a message.
    public init(audioContext: String = "", segmentId: Int32 = 0, streamingResponse: StreamingResponse? = nil) {
        self.audioContext = audioContext
        self.segmentId = segmentId
        self.streamingResponse = streamingResponse
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // audio_context = 1
                audioContext = try reader.string()
            case 0x10:  // segment_id = 2
                segmentId = try reader.int32()
            case 0x1A:  // transcript = 3
                var value = SLUTranscript()
                if case .transcript(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .transcript(value)
            case 0x22:  // entity = 4
                var value = SLUEntity()
                if case .entity(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .entity(value)
            case 0x2A:  // intent = 5
                var value = SLUIntent()
                if case .intent(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .intent(value)
            case 0x32:  // segment_end = 6
                var value = SLUSegmentEnd()
                if case .segmentEnd(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .segmentEnd(value)
            case 0x3A:  // tentative_transcript = 7
                var value = SLUTentativeTranscript()
                if case .tentativeTranscript(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .tentativeTranscript(value)
            case 0x42:  // tentative_entities = 8
                var value = SLUTentativeEntities()
                if case .tentativeEntities(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .tentativeEntities(value)
            case 0x4A:  // tentative_intent = 9
                var value = SLUIntent()
                if case .tentativeIntent(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .tentativeIntent(value)
            case 0x52:  // started = 10
                var value = SLUStarted()
                if case .started(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .started(value)
            case 0x5A:  // finished = 11
                var value = SLUFinished()
                if case .finished(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .finished(value)
            case 0x62:  // rtt_request = 12
                var value = RoundTripMeasurementRequest()
                if case .rttRequest(let existing)? = streamingResponse {
                    value = existing
                    streamingResponse = nil
                }
                try reader.message(&value)
                streamingResponse = .rttRequest(value)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        switch streamingResponse {
        case .transcript(let value)?: writer.message(value, field: 3)
        case .entity(let value)?: writer.message(value, field: 4)
        case .intent(let value)?: writer.message(value, field: 5)
        case .segmentEnd(let value)?: writer.message(value, field: 6)
        case .tentativeTranscript(let value)?: writer.message(value, field: 7)
        case .tentativeEntities(let value)?: writer.message(value, field: 8)
        case .tentativeIntent(let value)?: writer.message(value, field: 9)
        case .started(let value)?: writer.message(value, field: 10)
        case .finished(let value)?: writer.message(value, field: 11)
        case .rttRequest(let value)?: writer.message(value, field: 12)
        case nil: break
        }
        writer.int32(segmentId, field: 2)
        writer.string(audioContext, field: 1)
    }
}
