/// A compiled configuration: understands words, gives a recogniser its grammar, and prints examples.
///
/// A value without mutable state: any number of threads may use one at the same time.
public struct SALConfiguration: Sendable {
    /// Warnings and notes of the compiler, in the order of their places.
    public let diagnostics: [SALDiagnostic]
    /// How many further messages of each level there are.
    package let omittedDiagnostics: [SALDiagnostic.Level: Int]
    /// Names of the intents in the order of first use; `_`, the empty intent, is not among them.
    public let intents: [String]
    /// Names of the entities in the order of first use.
    public let entityTypes: [String]
    /// Every word of the configuration as it is compared: lower case, without punctuation.
    public let vocabulary: Set<String>
    /// How many utterances the lines expand to; those that several choices lead to count several times.
    /// Infinite if there are more than a number can say.
    public let expansionCount: Double
    /// The language that the configuration is for, as it says; nil if it does not.
    public var language: String? { settings.language }
    /// How long a silence ends a segment, as the configuration says; nil if it does not, zero for never.
    public var silenceTriggeredSegmentation: Duration? {
        settings.silenceTriggeredSegmentation.map { .milliseconds($0) }
    }
    /// The data types of the entities that it lists, by name; the others' values are the words.
    public var dataTypes: [String: SALDataType] { values.types }
    /// Whether it describes nothing: then anything may be said.
    public var isEmpty: Bool { network.arcs.isEmpty }
    let settings: SALSettings
    let values: SALValues
    let network: SALNetwork
    let outgoing: SALOutgoing
    let index: SALIndex
    private let hasOpenings: Bool
    private let speller: SALSpeller

    init(
        network: SALNetwork, index: SALIndex, diagnostics: [SALDiagnostic],
        omitted: [SALDiagnostic.Level: Int] = [:], expansionCount: Double,
        settings: SALSettings, values: SALValues
    ) {
        self.expansionCount = expansionCount
        self.settings = settings
        self.values = values
        self.network = network
        self.index = index
        self.diagnostics = diagnostics
        omittedDiagnostics = omitted
        outgoing = SALOutgoing(network)
        speller = SALSpeller(words: network.words, ids: index.wordIDs)
        hasOpenings = !network.openings.isEmpty
        intents = network.intents.filter { $0 != "_" }
        entityTypes = network.entities
        vocabulary = Set(network.words)
    }

    /// The utterances as one flat word automaton. It is built at each access: keep it.
    public var graph: SALGraph {
        var builder = SALGraphBuilder(network: network, outgoing: outgoing)
        return builder.build(maximumArcs: 2_000_000)
    }

    /// What the words mean: the most probable way to say exactly them with one or more lines of the
    /// configuration in a row.
    ///
    /// Case and punctuation do not matter. Where the configuration cannot produce the words but something
    /// near, that is what is meant: differences may cost less than a fifth of the words, where one too many
    /// or unknown costs 1, one without meaning of its own ("please", "the") 0.2 whether it is too many or
    /// missing, and a misspelt one 0.5 or, with two letters of eight or more, 0.8. Words further off come
    /// back as one segment with an empty intent; no words give no segments.
    /// - Parameters:
    ///   - words: the utterance, one word an element.
    ///   - moment: when and where it is said; now and in the zone of this machine unless given.
    public func understand(_ words: [String], at moment: SALMoment? = nil) -> [SALSegment] {
        segments(words, moment, isTolerant: true) { SALTrace.complete($0) }
    }

    /// What the words mean if more may follow: the most probable beginning of an utterance. An entity may
    /// be cut short. For tentative results while somebody is speaking.
    /// - Parameters:
    ///   - words: the utterance so far, one word an element.
    ///   - moment: when and where it is said; now and in the zone of this machine unless given.
    public func understandPrefix(_ words: [String], at moment: SALMoment? = nil) -> [SALSegment] {
        segments(words, moment, isTolerant: false) { SALTrace.partial($0) }
    }

    /// The words that a compared word is spoken as: digits are, unless the templates have them.
    private func spoken(_ part: String) -> [String] {
        guard let first = part.utf8.first, Ascii.isDigit(first), index.wordIDs[part] == nil, part.utf8.count <= 9,
            first != UInt8(ascii: "0") || part.utf8.count == 1, part.utf8.allSatisfy(Ascii.isDigit),
            let number = Int(part)
        else { return [part] }
        return SALNumbers.spoken(number)
    }

    private func segments(
        _ words: [String], _ moment: SALMoment?, isTolerant: Bool, trace: (SALSearch) -> [SALTrace.Event]?
    ) -> [SALSegment] {
        guard !words.isEmpty else { return [] }
        var ids: [Int32] = []
        var parts: [String] = []
        var origins: [Int] = []
        ids.reserveCapacity(words.count)
        parts.reserveCapacity(words.count)
        origins.reserveCapacity(words.count)
        for (position, word) in words.enumerated() {
            for part in SALWords.normalized(word) {
                for word in spoken(part) {
                    ids.append(index.wordIDs[word] ?? -1)
                    parts.append(word)
                    origins.append(position)
                }
            }
        }
        let isOpen = hasOpenings ? parts.map(SALWords.mayBeName) : [Bool](repeating: false, count: parts.count)
        var search = SALSearch(index: index, words: ids, isOpen: isOpen)
        var events = search.run() ? trace(search) : nil
        if events == nil, isTolerant, !settings.isStrict,
            let edits = SALEdits(parts, ids: ids, isOpen: isOpen, speller: speller)
        {
            search = SALSearch(index: index, words: ids, isOpen: isOpen, edits: edits)
            events = search.run() ? trace(search) : nil
        }
        if let events {
            var segmenter = SALSegmenter(network: network, words: words, parts: parts, origins: origins) {
                values.value(of: $0, words: $1, at: moment)
            }
            let segments = segmenter.segments(events)
            if !segments.isEmpty { return segments }
        }
        return [SALSegment(intent: "", words: 0..<words.count)]
    }
}
