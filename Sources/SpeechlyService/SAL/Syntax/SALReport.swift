/// Collects the messages of a run. Stops at a number no author reads beyond.
struct SALReport {
    let source: SALSource
    private(set) var diagnostics: [(offset: Int, diagnostic: SALDiagnostic)] = []
    private var counts: [SALDiagnostic.Level: Int] = [:]

    /// Most messages of one level.
    static let maximum = 100

    init(source: SALSource) {
        self.source = source
    }

    var errorCount: Int { counts[.error] ?? 0 }

    /// Whether further errors would be dropped.
    var isFull: Bool { errorCount >= Self.maximum }

    mutating func add(_ level: SALDiagnostic.Level, at offset: Int, _ message: String, hint: String? = nil) {
        guard counts[level, default: 0] < Self.maximum else { return }
        counts[level, default: 0] += 1
        diagnostics.append((source.shownOffset(offset), source.diagnostic(level, at: offset, message, hint: hint)))
    }

    mutating func error(at offset: Int, _ message: String, hint: String? = nil) {
        add(.error, at: offset, message, hint: hint)
    }

    /// In the order of their places.
    var sorted: [SALDiagnostic] {
        diagnostics.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element.diagnostic)
    }
}
