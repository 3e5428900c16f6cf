/// A network prepared for the search: epsilon arcs are gone, and ways that begin alike are one.
///
/// A kernel is one place in the network, or several ("members") between which the words so far leave it
/// open; each step tells for every member of its target which member it comes from and which marks it
/// passes. So intents and entities are decided late, at the end of an utterance, and ten thousand lines
/// that differ in their last word cost as much as one.
///
/// A class because the search holds it: copying a reference costs less than copying each table's.
final class SALIndex: Sendable {
    /// In place of a word where any is taken; sorted behind all of them.
    static let anyWord = Int32.max

    struct WordStep {
        var word: Int32
        /// Kernel behind the word.
        var target: Int32
        /// Natural logarithm of the probability of the target's best member.
        var score: Float
        /// In `origins`, one for each member of the target.
        var origins: Int32
    }

    struct CallStep {
        var rule: Int32
        /// Kernel behind the call.
        var target: Int32
        var score: Float
        var origins: Int32
    }

    /// Where a member of a kernel comes from.
    struct Origin {
        /// Member of the kernel before.
        var member: Int32
        /// Marks before the word or call.
        var path: Int32
    }

    struct Kernel {
        var words: Range<Int32>
        var calls: Range<Int32>
        /// Of reaching the end of the rule without another word; minus infinity if that cannot be.
        var endScore: Float
        var endPath: Int32
        /// The member that reaches it.
        var endMember: Int32 = 0
        /// The most probable member.
        var bestMember: Int32 = 0
        /// It may be entered more than once at a position.
        var isJoin = false
    }

    struct PathStep {
        /// The path before it; 0 is the empty path.
        var parent: Int32
        var mark: SALMark
    }

    struct Rule {
        var start: Int32
        /// Words it can begin with, sorted.
        var firstWords: Range<Int32>
    }

    /// The tables while they are being built.
    struct Tables {
        var kernels: ContiguousArray<Kernel> = []
        var wordSteps: ContiguousArray<WordStep> = []
        var callSteps: ContiguousArray<CallStep> = []
        var origins: ContiguousArray<Origin> = []
        var paths: ContiguousArray<PathStep> = [PathStep(parent: 0, mark: .none)]
        var rules: ContiguousArray<Rule> = []
        var firstWords: ContiguousArray<Int32> = []
        var wordIDs: [String: Int32] = [:]
    }

    let kernels: ContiguousArray<Kernel>
    let wordSteps: ContiguousArray<WordStep>
    let callSteps: ContiguousArray<CallStep>
    let origins: ContiguousArray<Origin>
    let paths: ContiguousArray<PathStep>
    let rules: ContiguousArray<Rule>
    let firstWords: ContiguousArray<Int32>
    let wordIDs: [String: Int32]

    init(_ tables: Tables) {
        kernels = tables.kernels
        wordSteps = tables.wordSteps
        callSteps = tables.callSteps
        origins = tables.origins
        paths = tables.paths
        rules = tables.rules
        firstWords = tables.firstWords
        wordIDs = tables.wordIDs
    }

    /// The first step with the word, or the upper bound.
    func firstStep(of word: Int32, in range: Range<Int32>) -> Int32 {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if wordSteps[Int(middle)].word < word { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a rule can begin with a word. `isOpen`: the word may stand where any is taken.
    func canBegin(_ rule: Int, with word: Int32, isOpen: Bool) -> Bool {
        let range = rules[rule].firstWords
        if isOpen, range.lowerBound < range.upperBound, firstWords[Int(range.upperBound) - 1] == Self.anyWord {
            return true
        }
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if firstWords[Int(middle)] < word { low = middle + 1 } else { high = middle }
        }
        return low < range.upperBound && firstWords[Int(low)] == word
    }
}
