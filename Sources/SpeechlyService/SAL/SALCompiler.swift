/// Compiles SAL, the notation in which a configuration lists what can be said and what it means.
///
/// ```sal
/// fields = [name | stars]
/// *sort [sort | order] {the results} by $fields(sort_field)
/// ```
public enum SALCompiler {
    /// Compiles a configuration of plain SAL.
    /// - Parameters:
    ///   - source: its text; a byte order mark and any kind of line end are accepted.
    ///   - file: the name for messages; nothing is read from there.
    /// - Throws: all messages of the run, if one of them is an error.
    public static func compile(_ source: String, file: String) throws(SALError) -> SALConfiguration {
        try compile(SALInput(file: file, bytes: Array(source.utf8)))
    }

    /// Compiles a configuration of plain SAL from its bytes, which have to be UTF-8.
    /// - Parameters:
    ///   - bytes: its text as read from a file.
    ///   - file: the name for messages; nothing is read from there.
    /// - Throws: all messages of the run, if one of them is an error.
    public static func compile(bytes: [UInt8], file: String) throws(SALError) -> SALConfiguration {
        try compile(SALInput(file: file, bytes: bytes))
    }

    /// Compiles a configuration from a file of plain SAL, from a `.yaml` file, or from a folder with a
    /// `config.yaml`; files that the YAML imports are read from its folder.
    /// - Throws: ``ServiceConfigurationError`` if it cannot be read; ``SALError`` with all messages of the
    ///   run, if one of them is an error.
    public static func compile(contentsOfFile path: String) throws -> SALConfiguration {
        try compile(SALFolder.input(path: path))
    }

    /// Compiles a `config.yaml` that is in memory.
    /// - Parameters:
    ///   - yaml: its bytes, which have to be UTF-8.
    ///   - file: the name for messages; nothing is read from there.
    ///   - imports: the CSV files it may import, by name.
    /// - Throws: all messages of the run, if one of them is an error.
    public static func compile(
        yaml: [UInt8], file: String, imports: [String: [UInt8]] = [:]
    ) throws(SALError) -> SALConfiguration {
        try compile(
            SALConfigurationReader.read(file: file, bytes: yaml) { name in
                imports[name].map { .success($0) } ?? .failure(SALFileProblem(reason: "there is no such file"))
            })
    }

    /// Sizes at which the compiler gives up, some ten times what 10,000 lines take.
    struct Limits {
        /// Steps of building the network, about one an arc.
        var work = 2_000_000
        /// Steps of the index: `{a} {b} {c} …` takes the square of its length.
        var steps = 3_000_000
    }

    static func compile(_ input: SALInput, limits: Limits = Limits()) throws(SALError) -> SALConfiguration {
        var input = input
        // What is too large is refused without a look at it.
        let standard =
            input.isTooLarge
            ? nil
            : SALStandardVariables.text(for: input.source.bytes).map {
                input.source.append(file: SALStandardVariables.file, bytes: Array($0.utf8))
            }
        var report = SALReport(source: input.source)
        for remark in input.remarks {
            report.add(remark.level, at: remark.offset, remark.message, hint: remark.hint)
        }
        var parser = SALParser(report: report)
        guard parser.checkText() else { throw parser.report.failure }
        var lookups = SALLookupBuilder(input: input)
        if let standard { parser.parse(standard, definesStandardVariables: true) }
        for item in input.imports {
            lookups.rows[item.name.text] = parser.define(
                item.name.text, at: item.name.offset, items: item.cells, isPlain: item.isPlain)
        }
        for range in input.templates { parser.parse(range) }
        var checker = SALChecker(syntax: parser.syntax, report: parser.report)
        checker.usedElsewhere = lookups.variables
        checker.check()
        report = checker.report
        SALListedNames.check(input, syntax: parser.syntax, report: &report)
        let tables = lookups.build(checked: checker, report: &report)
        guard report.errorCount == 0 else { throw report.failure }
        var builder = SALNetworkBuilder(checked: checker, maximumWork: limits.work)
        let tooLarge = builder.build()
        if let offset = builder.overfullJoin {
            report.error(
                at: offset, "too many combinations of parts written without a blank between them",
                hint: "put a blank between the parts, or list the words")
            throw report.failure
        }
        if let offset = tooLarge {
            report.error(
                at: offset, "the configuration becomes too large with this line",
                hint: "variables that contain a variable several times multiply; use fewer levels of them")
            throw report.failure
        }
        var indexer = SALIndexBuilder(network: builder.network, maximumSteps: limits.steps)
        guard let index = indexer.build() else {
            report.error(
                at: input.templates.first?.lowerBound ?? 0, "too many optional parts in a row",
                hint: "every part that can be skipped multiplies the ways on; use fewer in one line")
            throw report.failure
        }
        return SALConfiguration(
            network: builder.network, index: index, diagnostics: report.sorted, omitted: report.omitted,
            expansionCount: checker.expansionCount, settings: input.settings,
            values: SALValues(network: builder.network, declared: input.entities, tables: tables))
    }
}
