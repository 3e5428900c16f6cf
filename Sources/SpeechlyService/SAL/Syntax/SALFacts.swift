/// What is known about the expansions of a syntax node, computed from those of its parts.
struct SALFacts {
    /// Some expansion has neither words nor an intent.
    var canBeEmpty = false
    /// Some expansion begins with words before any intent.
    var canStartWithText = false
    /// Some expansion begins with an intent.
    var canStartWithIntent = false
    /// Some expansion that is not empty ends with words.
    var canEndWithText = false
    /// Some expansion ends with an intent that has no words yet.
    var canEndWithIntent = false
    /// Byte offset of such an intent.
    var lastIntentOffset = 0
    var hasIntent = false
    var hasEntity = false
    /// An error was reported for it: checks that would only repeat that are skipped.
    var isBroken = false
    /// About how many arcs a copy of it takes; saturates.
    var size = 0
    /// Nesting including that of variables.
    var depth = 1
    /// Number of expansions, equal ones counted apart.
    var expansionCount = 1.0

    static let empty = SALFacts(canBeEmpty: true)
    static let text = SALFacts(canStartWithText: true, canEndWithText: true, size: 1)
    static func intent(at offset: Int) -> SALFacts {
        SALFacts(
            canStartWithIntent: true, canEndWithIntent: true, lastIntentOffset: offset, hasIntent: true, size: 1)
    }
    static let broken = SALFacts(canStartWithIntent: true, canEndWithText: true, isBroken: true)

    /// The facts that hold if any of the parts' do.
    mutating func unite(_ other: SALFacts) {
        hasIntent = hasIntent || other.hasIntent
        hasEntity = hasEntity || other.hasEntity
        isBroken = isBroken || other.isBroken
        size = Self.sum(size, other.size)
        depth = max(depth, other.depth + 1)
    }

    static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    static func product(_ a: Int, _ b: Int) -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? .max : product
    }
}
