/// Compiles SAL, the notation in which a configuration lists what can be said and what it means.
///
/// ```sal
/// fields = [name | stars]
/// *sort [sort | order] {the results} by $fields(sort_field)
/// ```
public enum SALCompiler {
    /// Compiles a configuration.
    /// - Parameters:
    ///   - source: its text; a byte order mark and any kind of line end are accepted.
    ///   - file: the name for messages; nothing is read from there.
    /// - Throws: all messages of the run, if one of them is an error.
    public static func compile(_ source: String, file: String) throws(SALError) -> SALConfiguration {
        try compile(SALSource(file: file, bytes: Array(source.utf8)))
    }

    /// Compiles a configuration from its bytes, which have to be UTF-8.
    /// - Parameters:
    ///   - bytes: its text as read from a file.
    ///   - file: the name for messages; nothing is read from there.
    /// - Throws: all messages of the run, if one of them is an error.
    public static func compile(bytes: [UInt8], file: String) throws(SALError) -> SALConfiguration {
        try compile(SALSource(file: file, bytes: bytes))
    }

    /// Sizes at which the compiler gives up, some ten times what 10,000 lines take.
    struct Limits {
        /// Steps of building the network, about one an arc.
        var work = 2_000_000
        /// Steps of the index: `{a} {b} {c} …` takes the square of its length.
        var steps = 3_000_000
    }

    static func compile(_ source: SALSource, limits: Limits = Limits()) throws(SALError) -> SALConfiguration {
        var parser = SALParser(source: source)
        guard parser.checkText() else { throw SALError(diagnostics: parser.report.sorted) }
        parser.parse()
        var checker = SALChecker(syntax: parser.syntax, report: parser.report)
        checker.check()
        var report = checker.report
        guard report.errorCount == 0 else { throw SALError(diagnostics: report.sorted) }
        var builder = SALNetworkBuilder(checked: checker, maximumWork: limits.work)
        let tooLarge = builder.build()
        if let offset = builder.overfullJoin {
            report.error(
                at: offset, "too many combinations of parts written without a blank between them",
                hint: "put a blank between the parts, or list the words")
            throw SALError(diagnostics: report.sorted)
        }
        if let offset = tooLarge {
            report.error(
                at: offset, "the configuration becomes too large with this line",
                hint: "variables that contain a variable several times multiply; use fewer levels of them")
            throw SALError(diagnostics: report.sorted)
        }
        var indexer = SALIndexBuilder(network: builder.network, maximumSteps: limits.steps)
        guard let index = indexer.build() else {
            report.error(
                at: source.startOffset, "too many optional parts in a row",
                hint: "every part that can be skipped multiplies the ways on; use fewer in one line")
            throw SALError(diagnostics: report.sorted)
        }
        return SALConfiguration(
            network: builder.network, index: index, diagnostics: report.sorted,
            expansionCount: checker.expansionCount)
    }
}
