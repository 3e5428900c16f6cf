/// A network prepared for the search: epsilon arcs are gone.
///
/// Only states that a word or a call leads to, or where a rule starts, remain ("kernels"). Each has the
/// words and calls that can come next with the best probability to get there, words sorted for binary
/// search; the marks passed on the way are kept as a path.
///
/// A class because the search holds it: copying a reference costs less than copying each table's.
final class SALIndex: Sendable {
    /// In place of a word where any is taken; sorted behind all of them.
    static let anyWord = Int32.max

    struct WordStep {
        var word: Int32
        /// Kernel behind the word.
        var target: Int32
        /// Natural logarithm of the probability.
        var score: Float
        /// Marks before the word.
        var path: Int32
    }

    struct CallStep {
        var rule: Int32
        /// Kernel behind the call.
        var target: Int32
        var score: Float
        var path: Int32
    }

    struct Kernel {
        var words: Range<Int32>
        var calls: Range<Int32>
        /// Of reaching the end of the rule without another word; minus infinity if that cannot be.
        var endScore: Float
        var endPath: Int32
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
        var paths: ContiguousArray<PathStep> = [PathStep(parent: 0, mark: .none)]
        var rules: ContiguousArray<Rule> = []
        var firstWords: ContiguousArray<Int32> = []
        var wordIDs: [String: Int32] = [:]
    }

    let kernels: ContiguousArray<Kernel>
    let wordSteps: ContiguousArray<WordStep>
    let callSteps: ContiguousArray<CallStep>
    let paths: ContiguousArray<PathStep>
    let rules: ContiguousArray<Rule>
    let firstWords: ContiguousArray<Int32>
    let wordIDs: [String: Int32]

    init(_ tables: Tables) {
        kernels = tables.kernels
        wordSteps = tables.wordSteps
        callSteps = tables.callSteps
        paths = tables.paths
        rules = tables.rules
        firstWords = tables.firstWords
        wordIDs = tables.wordIDs
    }
}
