/// How far what was said may be from what the configuration describes.
///
/// Every difference costs a part of a word: a word too many or one that is not known costs 1, one without
/// meaning of its own ("please", "the") 0.2, whether it is too many or missing, a misspelt one 0.5 or 0.8, a
/// name that is not listed 0.3.
/// Together they have to cost less than a fifth of the words said, so that five words allow none that means
/// something, and eleven allow two. Words that turn a meaning round are never passed over.
struct SALEdits {
    struct Alternative {
        var word: Int32
        var cost: Float
    }

    /// What differences may cost for each word that is said.
    static let tolerance: Float = 0.2
    /// Texts longer than this are not compared.
    static let maximumWords = 100
    /// A difference is worse than any choice of words that the configuration finds improbable.
    static let weight: Float = 24
    /// Cost of a word that is missing.
    static let missingCost: Float = 0.2
    static let maximumMissing = 2
    /// Cost of a word that is taken because any would be.
    static let openCost: Float = 0.3

    /// What differences have to stay below.
    var limit: Float
    /// For each position, words that may be meant instead.
    var alternatives: [Range<Int>] = []
    var flat: [Alternative] = []
    /// For each position, the cost of passing over its word.
    var skips: [Float] = []
    /// Words of the configuration that may be missing.
    var missing: [Int32] = []

    /// Nothing may differ.
    static let none = SALEdits(limit: 0)

    private init(limit: Float) {
        self.limit = limit
    }

    /// What may differ in some words; nil if they are too far from anything.
    init?(_ words: [String], ids: [Int32], isOpen: [Bool], speller: SALSpeller) {
        guard (2...Self.maximumWords).contains(words.count) else { return nil }
        // Strictly less.
        limit = Self.tolerance * Float(words.count) - 0.01
        var least: Float = 0
        for (position, word) in words.enumerated() {
            skips.append(Self.skipCost(word))
            let first = flat.count
            if ids[position] < 0 {
                flat += speller.near(word)
                let most = isOpen[position] ? min(skips[position], Self.openCost) : skips[position]
                least += flat[first...].reduce(most) { min($0, $1.cost) }
                guard least <= limit else { return nil }
            }
            alternatives.append(first..<flat.count)
        }
        missing = speller.fillers
    }

    /// Words that are said without meaning anything to a command.
    private static let fillers: Set<String> = [
        "a", "an", "the", "of", "to", "please", "my", "me", "some", "just", "now", "is", "are", "uh", "um", "er", "erm",
        "hmm", "oh", "hey", "hi", "hello", "okay", "ok", "well", "so", "then", "kindly", "thanks", "thank", "could",
        "can", "would", "you", "i", "i'd", "like", "want", "let's", "right", "there", "actually", "for", "and",
    ]
    private static let reversals: Set<String> = [
        "not", "don't", "dont", "never", "no", "nothing", "none", "cannot", "can't", "won't", "without", "except",
        "instead", "neither", "nor", "isn't", "doesn't",
    ]
    /// Those that a template may have and a speaker leave out.
    static let mayBeMissing = ["a", "an", "the", "of", "please", "my", "me", "some", "is", "are"]

    private static func skipCost(_ word: String) -> Float {
        if reversals.contains(word) { return .infinity }
        return fillers.contains(word) ? 0.2 : 1
    }
}

/// The words of a configuration that are spelt nearly like another.
struct SALSpeller: Sendable {
    private struct Word: Sendable {
        var id: Int32
        var letters: [UInt8]
        /// Which letters occur in it: words that differ in more of them than one edit can change are far off.
        var signature: UInt64
    }

    /// By their number of bytes.
    private let byLength: [Int: [Word]]
    /// Those of the words that a speaker may leave out.
    let fillers: [Int32]

    static let maximumNear = 4

    init(words: [String], ids: [String: Int32]) {
        var byLength: [Int: [Word]] = [:]
        for (id, word) in words.enumerated() where word.utf8.count >= 4 {
            let letters = Array(word.utf8)
            byLength[letters.count, default: []].append(
                Word(id: Int32(id), letters: letters, signature: Self.signature(letters)))
        }
        self.byLength = byLength
        fillers = SALEdits.mayBeMissing.compactMap { ids[$0] }
    }

    /// The nearest words: at most one letter off, or two in eight.
    func near(_ word: String) -> [SALEdits.Alternative] {
        let letters = Array(word.utf8)
        guard (4...40).contains(letters.count), !letters.contains(where: Ascii.isDigit) else { return [] }
        let signature = Self.signature(letters)
        var best = letters.count >= 8 ? 2 : 1
        var found: [Int32] = []
        for length in letters.count - best...letters.count + best {
            for other in byLength[length] ?? [] where (other.signature ^ signature).nonzeroBitCount <= 2 * best {
                let distance = Self.distance(letters, other.letters, limit: best)
                guard distance <= best else { continue }
                if distance < best || found.count >= Self.maximumNear {
                    if distance == best { continue }
                    found = []
                }
                best = distance
                found.append(other.id)
            }
        }
        return found.map { SALEdits.Alternative(word: $0, cost: best < 2 ? 0.5 : 0.8) }
    }

    private static func signature(_ letters: [UInt8]) -> UInt64 {
        letters.reduce(0) { $0 | 1 << UInt64($1 & 63) }
    }

    /// Letters to change, add, leave out or swap with the next; more than `limit` is not counted out.
    static func distance(_ a: [UInt8], _ b: [UInt8], limit: Int) -> Int {
        guard abs(a.count - b.count) <= limit else { return limit + 1 }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        var row = last
        for i in 0..<a.count {
            row[0] = i + 1
            var least = row[0]
            for j in 0..<b.count {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row[j + 1] = cost
                least = min(least, cost)
            }
            guard least <= limit else { return limit + 1 }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return last[b.count]
    }
}
