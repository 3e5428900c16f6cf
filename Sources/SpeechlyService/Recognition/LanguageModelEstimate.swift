import Foundation

/// A trigram model estimated from the graph of a configuration: how often each word follows two others when
/// utterances are drawn as the configuration says.
///
/// The expectations are computed, not sampled, so every word pair of the configuration is in the model.
struct LanguageModelEstimate {
    /// Where more pairs of words meet than this around one word, its position says nothing that the word
    /// itself does not, and pairs are enough.
    private static let maximumMeetings = 400
    private static let start = 0
    private static let end = 1
    /// Words are numbered with this many bits in a key.
    private static let bits: UInt64 = 20

    /// What is kept back for words in orders that the configuration does not have.
    private static let discount = 0.05
    /// Other speech is less likely here than beside a grammar, because words in orders that the configuration does
    /// not have are heard as such, and mean nothing.
    private static let otherSpeechShare = 0.1
    /// How likely each phone of other speech is; 0 for none.
    private let otherSpeech: Double
    /// What each number stands for in the configuration, `nil` for what is not a word of it.
    private let words: [String?]
    private let names: [String]
    private var unigrams: [Double]
    private var bigrams: [UInt64: Double] = [:]
    private var trigrams: [UInt64: Double] = [:]

    init(graph: SALGraph, tokens: [String: Int], otherSpeech: Double) {
        var names = ["<s>", "</s>"]
        names += (0..<tokens.count).map { "w\($0)" }
        var words = [String?](repeating: nil, count: names.count)
        for (word, token) in tokens { words[token + 2] = word }
        if otherSpeech > 0 {
            names += OtherSpeech.tokens
            words += OtherSpeech.tokens.map { _ in nil }
        }
        self.names = names
        self.words = words
        self.otherSpeech = otherSpeech * Self.otherSpeechShare
        unigrams = [Double](repeating: 0, count: names.count)
        count(WordGraph(graph: graph, number: { tokens[$0].map { $0 + 2 } }))
    }

    private mutating func count(_ graph: WordGraph) {
        for state in 0..<graph.arcs.count {
            for (before, mass) in graph.before[state] {
                for arc in graph.arcs[state] {
                    let flow = mass * arc.probability
                    unigrams[arc.word] += flow
                    bigrams[Self.key(before, arc.word), default: 0] += flow
                }
            }
        }
        for state in 0..<graph.arcs.count {
            for arc in graph.arcs[state] where arc.word != Self.end {
                let next = graph.arcs[arc.to]
                guard next.count * graph.before[state].count <= Self.maximumMeetings else { continue }
                for (before, mass) in graph.before[state] {
                    let flow = mass * arc.probability
                    let pair = Self.key(before, arc.word) << Self.bits
                    for following in next {
                        trigrams[pair | UInt64(following.word), default: 0] += flow * following.probability
                    }
                }
            }
        }
    }

    private static func key(_ first: Int, _ second: Int) -> UInt64 { UInt64(first) << bits | UInt64(second) }

    /// The model as a text file of the usual format.
    func arpa(emphasis: WordEmphasis = WordEmphasis()) -> String {
        let mask = UInt64(1) << Self.bits - 1
        let total = unigrams.reduce(0, +)
        // A word that is never drawn can still be said.
        var single = unigrams.map { max($0 / max(total, 1e-9), 1e-7) }
        if otherSpeech > 0 { for word in names.indices.suffix(OtherSpeech.tokens.count) { single[word] = otherSpeech } }
        let kept = 1 - Self.discount
        let factors = words.map { $0.map(emphasis.factor) ?? 1 }
        let contexts = { (word: Int) in word == Self.start ? 1.0 : unigrams[word] }
        var pairs: [UInt64: Double] = [:]
        var leftOfWord = [(explicit: Double, lower: Double)](repeating: (0, 0), count: names.count)
        for (key, count) in bigrams where count > 0 {
            let first = Int(key >> Self.bits)
            let second = Int(key & mask)
            let probability = min(1, count / max(contexts(first), 1e-12)) * kept
            pairs[key] = probability
            leftOfWord[first].explicit += probability
            leftOfWord[first].lower += single[second]
        }
        var triples: [(key: UInt64, probability: Double)] = []
        var leftOfPair: [UInt64: (explicit: Double, lower: Double)] = [:]
        triples.reserveCapacity(trigrams.count)
        for (key, count) in trigrams where count > 0 {
            let pair = key >> Self.bits
            guard let meetings = bigrams[pair], meetings > 0 else { continue }
            let probability = min(1, count / meetings) * kept
            triples.append((key, probability))
            let lower = pairs[key & (mask << Self.bits | mask)] ?? 1e-7
            let left = leftOfPair[pair, default: (0, 0)]
            leftOfPair[pair] = (left.explicit + probability, left.lower + lower)
        }
        func log(_ value: Double) -> String { String(format: "%.4f", log10(max(value, 1e-30))) }
        func backoff(_ left: (explicit: Double, lower: Double)) -> String {
            log(max(1 - left.explicit, 1e-6) / max(1 - left.lower, 1e-3))
        }
        var lines = ["\\data\\", "ngram 1=\(names.count)", "ngram 2=\(pairs.count)", "ngram 3=\(triples.count)", ""]
        lines.append("\\1-grams:")
        for (word, name) in names.enumerated() {
            let probability = word == Self.start ? "-99" : log(min(1, single[word] * factors[word]))
            lines.append("\(probability) \(name) \(word == Self.end ? "0" : backoff(leftOfWord[word]))")
        }
        lines += ["", "\\2-grams:"]
        for (key, probability) in pairs.sorted(by: { $0.key < $1.key }) {
            let left = leftOfPair[key].map(backoff) ?? "0"
            let second = Int(key & mask)
            let likely = log(min(1, probability * factors[second]))
            lines.append("\(likely) \(names[Int(key >> Self.bits)]) \(names[second]) \(left)")
        }
        lines += ["", "\\3-grams:"]
        for (key, probability) in triples.sorted(by: { $0.key < $1.key }) {
            let first = names[Int(key >> (2 * Self.bits))]
            let third = Int(key & mask)
            let likely = log(min(1, probability * factors[third]))
            lines.append("\(likely) \(first) \(names[Int(key >> Self.bits & mask)]) \(names[third])")
        }
        return (lines + ["", "\\end\\", ""]).joined(separator: "\n")
    }
}

/// A graph of words without arcs that have none, and which words come before each state how often.
private struct WordGraph {
    struct Arc {
        var word: Int
        var to: Int
        var probability: Double
    }

    private static let leastFlow = 1e-12
    private static let maximumRounds = 100

    /// The arcs that leave each state with a word; the end of an utterance is a word, too.
    private(set) var arcs: [[Arc]]
    /// Each state's last words and how often an utterance passes it with them.
    private(set) var before: [[Int: Double]]

    init(graph: SALGraph, number: (String) -> Int?) {
        var direct = [[(word: Int?, to: Int, probability: Double)]](repeating: [], count: graph.stateCount)
        for arc in graph.arcs {
            // A word that cannot be said is passed over in silence.
            direct[arc.from].append((arc.word.flatMap(number), arc.to, arc.probability))
        }
        arcs = direct.indices.map { Self.spoken(from: $0, direct, end: graph.finalState) }
        before = [[Int: Double]](repeating: [:], count: graph.stateCount)
        flow(from: graph.startState)
    }

    /// What can be said next from a state.
    private static func spoken(
        from state: Int, _ direct: [[(word: Int?, to: Int, probability: Double)]], end: Int
    ) -> [Arc] {
        var arcs: [Arc] = []
        var reached = [(state: state, probability: 1.0)]
        var steps = 0
        while let (current, mass) = reached.popLast(), steps < 100_000 {
            steps += 1
            if current == end { arcs.append(Arc(word: 1, to: end, probability: mass)) }
            for arc in direct[current] where mass * arc.probability > leastFlow {
                if let word = arc.word {
                    arcs.append(Arc(word: word, to: arc.to, probability: mass * arc.probability))
                } else {
                    reached.append((arc.to, mass * arc.probability))
                }
            }
        }
        return arcs
    }

    /// Lets an utterance flow through the graph until nothing moves any more; only a graph that is not exact
    /// has cycles.
    private mutating func flow(from start: Int) {
        var moving = [start: [0: 1.0]]
        for _ in 0..<max(Self.maximumRounds, 1) where !moving.isEmpty {
            var next: [Int: [Int: Double]] = [:]
            for (state, words) in moving {
                let mass = words.values.reduce(0, +)
                for (word, part) in words { before[state][word, default: 0] += part }
                for arc in arcs[state] where arc.word != 1 {
                    let flow = mass * arc.probability
                    if flow > Self.leastFlow { next[arc.to, default: [:]][arc.word, default: 0] += flow }
                }
            }
            moving = next
        }
    }
}
