/// All words of a segment that may still change.
public struct SLUTentativeTranscript: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.SLUTentativeTranscript" }

    /// The words as one text.
    public var tentativeTranscript: String
    /// The words.
    public var tentativeWords: [SLUTranscript]

    /// Makes a message with every field at its default.
    public init() {
        tentativeTranscript = ""
        tentativeWords = []
    }

    /// Makes a message.
    public init(tentativeTranscript: String = "", tentativeWords: [SLUTranscript] = []) {
        self.tentativeTranscript = tentativeTranscript
        self.tentativeWords = tentativeWords
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // tentative_transcript = 1
                tentativeTranscript = try reader.string()
            case 0x12:  // tentative_words = 2
                try reader.append(to: &tentativeWords, tag: tag)
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.messages(tentativeWords, field: 2)
        writer.string(tentativeTranscript, field: 1)
    }
}
