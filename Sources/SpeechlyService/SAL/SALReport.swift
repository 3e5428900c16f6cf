/// Collects the messages of a run. Stops at a number no author reads beyond.
struct SALReport {
    let source: SALSource
    private(set) var diagnostics: [(offset: Int, diagnostic: SALDiagnostic)] = []
    private(set) var errorCount = 0

    static let maximumErrors = 100
    static let maximumRemarks = 100

    init(source: SALSource) {
        self.source = source
    }

    var isFull: Bool { errorCount >= Self.maximumErrors }

    mutating func add(_ level: SALDiagnostic.Level, at offset: Int, _ message: String, hint: String? = nil) {
        if level == .error {
            guard !isFull else { return }
            errorCount += 1
        } else if diagnostics.count - errorCount >= Self.maximumRemarks {
            return
        }
        diagnostics.append((offset, source.diagnostic(level, at: offset, message, hint: hint)))
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
