/// What was understood of one part of an utterance.
public struct SALSegment: Sendable, Hashable {
    /// Name of the intent; empty if nothing of the configuration fits, and for the intent `_`.
    public var intent: String
    /// Which words of the utterance it covers. Segments follow each other without gaps.
    public var words: Range<Int>
    /// The entities in the order of their places.
    public var entities: [SALEntity]

    /// Makes a segment from its parts.
    public init(intent: String, words: Range<Int>, entities: [SALEntity] = []) {
        self.intent = intent
        self.words = words
        self.entities = entities
    }
}

/// A named value within a segment.
public struct SALEntity: Sendable, Hashable {
    /// Its name in the configuration.
    public var type: String
    /// What its data type makes of the words. For plain words, and where they cannot be converted, the
    /// words in the spelling of the utterance, joined by one blank. Never empty.
    public var value: String
    /// Index of its first word, counted from the segment's first.
    public var start: Int
    /// Index behind its last word, counted from the segment's first.
    public var end: Int

    /// Makes an entity from its parts.
    public init(type: String, value: String, start: Int, end: Int) {
        self.type = type
        self.value = value
        self.start = start
        self.end = end
    }
}

/// Events of a derivation to segments.
struct SALSegmenter {
    private let network: SALNetwork
    private let words: [String]
    /// The words as compared.
    private let parts: [String]
    /// Index of the word each compared word comes from.
    private let origins: [Int]
    private let convert: (Int, [String]) -> String?
    private var segments: [SALSegment] = []
    private var current: SALSegment?
    private var openEntity: (type: Int, first: Int)?
    /// How many compared words have passed.
    private var position = 0

    /// - Parameter convert: the value of an entity by its index and its words, nil for the words themselves.
    init(
        network: SALNetwork, words: [String], parts: [String], origins: [Int],
        convert: @escaping (Int, [String]) -> String?
    ) {
        self.network = network
        self.words = words
        self.parts = parts
        self.origins = origins
        self.convert = convert
    }

    mutating func segments(_ events: [SALTrace.Event]) -> [SALSegment] {
        for event in events { take(event) }
        closeEntity()
        closeSegment(at: words.count)
        return segments
    }

    /// Index of the first word that has not passed.
    private var nextWord: Int { position == 0 ? 0 : origins[position - 1] + 1 }

    private mutating func take(_ event: SALTrace.Event) {
        switch event {
        case .word:
            position += 1
        case .mark(.intent(let intent)):
            closeSegment(at: nextWord)
            let begin = segments.last?.words.upperBound ?? 0
            let name = network.intents[intent]
            current = SALSegment(intent: name == "_" ? "" : name, words: begin..<begin)
        case .mark(.openEntity(let type)):
            openEntity = (type, position)
        case .mark(.closeEntity):
            closeEntity()
        case .mark(.none):
            break
        }
    }

    private mutating func closeEntity() {
        defer { openEntity = nil }
        guard let open = openEntity, open.first < position, let begin = current?.words.lowerBound else { return }
        let first = max(origins[open.first], begin)
        let end = nextWord
        guard first < end else { return }
        let converted = convert(open.type, Array(parts[open.first..<position])) ?? ""
        let value =
            converted.isEmpty ? SALWords.trimmed(words[first..<end].joined(separator: " ")) : converted
        current?.entities.append(
            SALEntity(type: network.entities[open.type], value: value, start: first - begin, end: end - begin))
    }

    /// An intent without words is no segment.
    private mutating func closeSegment(at end: Int) {
        guard var segment = current else { return }
        current = nil
        guard end > segment.words.lowerBound else { return }
        segment.words = segment.words.lowerBound..<end
        segments.append(segment)
    }
}
