import SpeechlyCore
import SpeechlyProto

/// A part of a text that carries one intent.
public struct WrittenSegment: Sendable, Hashable, Codable {
    /// The part of the text.
    public var text: String

    /// The words of the text. They have no times, and are final.
    public var words: [Transcript]

    /// The entities of the text, in order.
    public var entities: [Entity]

    /// The intent; empty when there is none.
    public var intent: Intent

    /// The text with intent and entities marked, as in the app's configuration.
    public var annotatedText: String

    /// Creates a segment from its parts.
    ///
    /// - Parameters:
    ///   - text: the part of the text.
    ///   - words: its words.
    ///   - entities: its entities.
    ///   - intent: its intent.
    ///   - annotatedText: the text with intent and entities marked.
    public init(text: String, words: [Transcript], entities: [Entity], intent: Intent, annotatedText: String) {
        self.text = text
        self.words = words
        self.entities = entities
        self.intent = intent
        self.annotatedText = annotatedText
    }

    init(_ message: WLUSegment) {
        self.init(
            text: message.text,
            words: message.tokens.map {
                Transcript(index: Int($0.index), value: $0.word, startOffset: 0, endOffset: 0, isFinal: true)
            },
            entities: message.entities.map {
                Entity(
                    value: $0.value, type: $0.entity, startIndex: Int($0.startPosition),
                    endIndex: Int($0.endPosition), isFinal: true)
            }.sorted(),
            intent: Intent(value: message.intent?.intent ?? "", isFinal: true), annotatedText: message.annotatedText)
    }
}
