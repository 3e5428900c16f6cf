import SpeechlyTesting

/// What a run of the driver was, and what it found.
public struct ChaosReport: Sendable {
    /// The seed of the run.
    public let seed: UInt64
    /// How many sessions were run.
    public var sessions = 0
    /// How many contexts were asked for.
    public var contexts = 0
    /// How many came to their end.
    public var completed = 0
    /// How many contexts came to an error, or to no start at all.
    public var failed = 0
    /// Words that reached the host as final.
    public var words = 0
    /// How often each kind of fault showed.
    public var faults: [String: Int] = [:]
    /// What broke an invariant, with the session's own seed.
    public var violations: [Violation] = []

    /// A broken invariant.
    public struct Violation: Sendable, CustomStringConvertible {
        /// Replays the session.
        public let session: UInt64
        /// What was wrong.
        public let what: String

        /// The session and what was wrong.
        public var description: String { "session \(session): \(what)" }
    }

    init(seed: UInt64) {
        self.seed = seed
        for kind in ChaosFault.allCases { faults[kind.rawValue] = 0 }
    }

    mutating func add(_ other: ChaosReport) {
        sessions += other.sessions
        contexts += other.contexts
        completed += other.completed
        failed += other.failed
        words += other.words
        faults.merge(other.faults, uniquingKeysWith: +)
        violations += other.violations
    }

    /// The kinds of faults that never showed.
    public var missingFaults: [String] { faults.filter { $0.value == 0 }.keys.sorted() }

    /// The report as people read it.
    public var text: String {
        var lines = [
            "seed \(seed), \(sessions) sessions, \(contexts) contexts: \(completed) completed, \(failed) failed; "
                + "\(words) words",
            "faults: " + faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
            "violations: \(violations.count)",
        ]
        lines += violations.prefix(20).map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}

/// The kinds of faults that the driver puts in the way.
public enum ChaosFault: String, CaseIterable, Sendable {
    case refuse, stall, cut, reset, hang, delay, throttle, halfClose, garbage
    case slowTLS, wrongName, expired, selfSigned
    case status, refusedToken, resetStream

    /// Whether it takes a server with TLS to show it.
    var isOfTLS: Bool { [.slowTLS, .wrongName, .expired, .selfSigned].contains(self) }

    /// The lot that is drawn for what the service does by itself; one that means nothing for other faults.
    var scriptNumber: Int {
        switch self {
        case .status: 0
        case .refusedToken: 2
        case .resetStream: 3
        default: .max
        }
    }

    init?(_ kind: Fault.Kind) {
        switch kind {
        case .none: return nil
        case .dribble: self = .slowTLS
        default: self.init(rawValue: kind.rawValue)
        }
    }
}
