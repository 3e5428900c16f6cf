/// A word of a job.
public struct BatchTranscript: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.Transcript" }

    /// The word.
    public var word: String
    /// The place of the word in the audio.
    public var index: Int32
    /// Where the word starts, in ms from the start of the audio.
    public var startTime: Int32
    /// Where the word ends, in ms from the start of the audio.
    public var endTime: Int32

    /// Makes a message with every field at its default.
    public init() {
        word = ""
        index = 0
        startTime = 0
        endTime = 0
    }

    /// Makes a message.
    public init(
        word: String = "",
        index: Int32 = 0,
        startTime: Int32 = 0,
        endTime: Int32 = 0
    ) {
        self.word = word
        self.index = index
        self.startTime = startTime
        self.endTime = endTime
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // word = 1
                word = try reader.string()
            case 0x10:  // index = 2
                index = try reader.int32()
            case 0x18:  // start_time = 3
                startTime = try reader.int32()
            case 0x20:  // end_time = 4
                endTime = try reader.int32()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(endTime, field: 4)
        writer.int32(startTime, field: 3)
        writer.int32(index, field: 2)
        writer.string(word, field: 1)
    }
}
