/// A segment of a text and its meaning.
public struct WLUSegment: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLUSegment" }

    /// The segment's text.
    public var text: String
    /// The words.
    public var tokens: [WLUToken]
    /// The entities.
    public var entities: [WLUEntity]
    /// The intent.
    public var intent: WLUIntent?
    /// The text with intent and entities marked as in SAL.
    public var annotatedText: String

    /// Makes a message with every field at its default.
    public init() {
        text = ""
        tokens = []
        entities = []
        intent = nil
        annotatedText = ""
    }

    /// Makes a message.
    public init(
        text: String = "",
        tokens: [WLUToken] = [],
        entities: [WLUEntity] = [],
        intent: WLUIntent? = nil,
        annotatedText: String = ""
    ) {
        self.text = text
        self.tokens = tokens
        self.entities = entities
        self.intent = intent
        self.annotatedText = annotatedText
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // text = 1
                text = try reader.string()
            case 0x12:  // tokens = 2
                try reader.append(to: &tokens, tag: tag)
            case 0x1A:  // entities = 3
                try reader.append(to: &entities, tag: tag)
            case 0x22:  // intent = 4
                var value = intent ?? WLUIntent()
                intent = nil
                try reader.message(&value)
                intent = value
            case 0x2A:  // annotated_text = 5
                annotatedText = try reader.string()
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        writer.string(annotatedText, field: 5)
        if let intent { writer.message(intent, field: 4) }
        writer.messages(entities, field: 3)
        writer.messages(tokens, field: 2)
        writer.string(text, field: 1)
    }
}
