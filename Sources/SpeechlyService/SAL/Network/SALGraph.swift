/// The utterances of a configuration as one probabilistic word automaton, for a recogniser's grammar or
/// to estimate a language model from. One pass from `startState` to `finalState` is one utterance; the
/// probabilities of the arcs that leave a state sum to 1.
public struct SALGraph: Sendable {
    /// One arc.
    public struct Arc: Sendable, Hashable {
        /// State it leaves, from 0.
        public var from: Int
        /// State it enters.
        public var to: Int
        /// The word as it is compared (lower case, without punctuation); nil for an arc without a word.
        public var word: String?
        /// Probability of the arc at its state, above 0, at most 1.
        public var probability: Double

        /// Makes an arc from its parts.
        public init(from: Int, to: Int, word: String?, probability: Double) {
            self.from = from
            self.to = to
            self.word = word
            self.probability = probability
        }
    }

    /// Number of states; they are numbered from 0.
    public var stateCount: Int
    /// Where an utterance begins.
    public var startState: Int
    /// Where an utterance ends. No arc leaves it.
    public var finalState: Int
    /// All arcs.
    public var arcs: [Arc]
    /// Whether its paths are exactly the utterances of the configuration, which then has no cycles. A
    /// configuration that uses long lists in very many places is given with one copy of each list: then a
    /// path may enter a list from one place and leave it to another. Word pair statistics stay right.
    public var isExact: Bool
}
