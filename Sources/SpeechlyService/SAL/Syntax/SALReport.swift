/// Collects the messages of a run. Those beyond a number that no author reads are only counted.
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

    /// How many messages of each level are left out.
    var omitted: [SALDiagnostic.Level: Int] { counts.mapValues { $0 - Self.maximum }.filter { $0.value > 0 } }

    /// All as the error that a run ends with.
    var failure: SALError { SALError(diagnostics: sorted, omitted: omitted) }

    mutating func add(_ level: SALDiagnostic.Level, at offset: Int, _ message: String, hint: String? = nil) {
        counts[level, default: 0] += 1
        guard counts[level, default: 0] <= Self.maximum else { return }
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
