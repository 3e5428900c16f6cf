/// What an arc does beside its word: the notation of intents and entities.
enum SALMark: Hashable, Sendable {
    case none
    /// The words that follow belong to the intent of this index.
    case intent(Int)
    case openEntity(Int)
    case closeEntity(Int)
}

/// A configuration as probabilistic automata that call each other.
///
/// Each rule is an acyclic automaton with one start and one end; an arc is a word, nothing (epsilon), or
/// a call of another rule. Lists that are used often are built once and called: the size stays near that
/// of the source, where a single flat automaton would hold a copy for every use. No rule is called
/// recursively, and no called rule accepts the empty word sequence.
struct SALNetwork: Sendable {
    enum Label: Hashable, Sendable {
        case epsilon
        /// Index in `words`.
        case word(Int)
        /// Index in `rules`; the arc's end is where to go on afterwards.
        case call(Int)
    }

    struct Arc: Sendable {
        var from: Int
        var to: Int
        var label: Label
        var mark: SALMark = .none
        /// Index in `displays` of the word as written.
        var display = 0
        /// Probability of this arc at its state.
        var probability: Double
    }

    /// A place where any word may be said, beside the arcs; nobody but the one who understands needs it.
    struct Opening: Sendable {
        var from: Int
        var to: Int
        var probability: Double
    }

    struct Rule: Sendable {
        var start: Int
        var end: Int
    }

    var stateCount = 0
    var arcs: [Arc] = []
    var openings: [Opening] = []
    /// Called ones before their callers; the last is the whole configuration.
    var rules: [Rule] = []
    /// Words as compared.
    var words: [String] = []
    /// Words as written. A word cut at hyphens has its parts here, all but the last with the hyphen.
    var displays: [String] = []
    var intents: [String] = []
    var entities: [String] = []

    /// What can be said at all has a probability, also where a product of many small weights is too small for a number.
    static func possible(_ probability: Double) -> Double { max(probability, .leastNormalMagnitude) }

    var main: Rule { rules.last ?? Rule(start: 0, end: 0) }
}
