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
    private var parts: [String]
    /// Index of the word each compared word comes from.
    private let origins: [Int]
    private let convert: (Int, [String]) -> String?
    private var segments: [SALSegment] = []
    private var current: SALSegment?
    private var openEntity: (type: Int, first: Int)?
    /// How many compared words have passed.
    private var position = 0
    /// How many had passed at the last one that has a place in the derivation.
    private var lastWord = 0
    /// Compared words that stand for the ones said.
    private var isCorrected: [Bool]

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
        isCorrected = [Bool](repeating: false, count: parts.count)
    }

    mutating func segments(_ events: [SALTrace.Event]) -> [SALSegment] {
        for event in events { take(event) }
        closeEntity()
        closeSegment(at: words.count)
        return segments
    }

    /// Index of the first word behind a number of compared ones.
    private func word(behind count: Int) -> Int { count == 0 ? 0 : origins[count - 1] + 1 }

    private mutating func take(_ event: SALTrace.Event) {
        switch event {
        case .word:
            position += 1
            lastWord = position
        case .corrected(let word):
            parts[position] = network.words[Int(word)]
            isCorrected[position] = true
            position += 1
            lastWord = position
        case .extra:
            position += 1
        case .mark(.intent(let intent)):
            closeSegment(at: word(behind: position))
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
        // Words without a place that follow an entity do not belong to it.
        guard let open = openEntity, open.first < lastWord, let begin = current?.words.lowerBound else { return }
        let first = max(origins[open.first], begin)
        let end = word(behind: lastWord)
        guard first < end else { return }
        let range = open.first..<lastWord
        var value = convert(open.type, Array(parts[range])) ?? ""
        if value.isEmpty {
            value =
                isCorrected[range].contains(true)
                ? parts[range].joined(separator: " ") : SALWords.trimmed(words[first..<end].joined(separator: " "))
        }
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
