/// A word of a text.
public struct WLUToken: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLUToken" }

    /// The word.
    public var word: String
    /// The word's place in the segment.
    public var index: Int32

    /// Makes a message with every field at its default.
    public init() {
        word = ""
        index = 0
    }

    /// Makes a message.
    public init(word: String = "", index: Int32 = 0) {
        self.word = word
        self.index = index
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // word = 1
                word = try reader.string()
            case 0x10:  // index = 2
                index = try reader.int32()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.int32(index, field: 2)
        writer.string(word, field: 1)
    }
}
