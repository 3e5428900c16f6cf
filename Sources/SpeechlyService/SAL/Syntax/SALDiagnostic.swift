/// One message of the SAL compiler about one place of a configuration.
public struct SALDiagnostic: Sendable, Hashable, CustomStringConvertible {
    /// How serious a message is.
    public enum Level: String, Sendable, Hashable, Comparable {
        /// A remark: nothing is wrong, but the author may want to know.
        case note = "NOTE"
        /// Probably not what the author meant; the configuration still compiles.
        case warning = "WARNING"
        /// The configuration cannot be used.
        case error = "ERROR"

        /// Notes come before warnings, warnings before errors.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// Name of the file as given to the compiler.
    public var file: String
    /// Line number, from 1.
    public var line: Int
    /// Column, from 1, counted in characters (not bytes).
    public var column: Int
    /// How serious it is.
    public var level: Level
    /// What is wrong, in one line.
    public var message: String
    /// What to do about it, in one line.
    public var hint: String?
    /// The source line, shortened around the place if it is long.
    public var sourceLine: String
    /// How many characters of `sourceLine` come before the place.
    public var caretOffset: Int

    /// Makes a diagnostic from its parts.
    public init(
        file: String, line: Int, column: Int, level: Level, message: String, hint: String? = nil,
        sourceLine: String = "", caretOffset: Int = 0
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.level = level
        self.message = message
        self.hint = hint
        self.sourceLine = sourceLine
        self.caretOffset = caretOffset
    }

    /// The one-line form `file:line:column:LEVEL:message`.
    public var description: String { "\(file):\(line):\(column):\(level.rawValue):\(message)" }

    /// The one-line form followed by the source line, a caret under the place, and the hint if there is one.
    public var detailedDescription: String {
        var text = description
        if !sourceLine.isEmpty {
            // Tabs are kept so that the caret stands under the place whatever the tab width is.
            let margin = sourceLine.prefix(caretOffset).map { $0 == "\t" ? "\t" : " " as Character }
            text += "\n    \(sourceLine)\n    \(String(margin))^"
        }
        if let hint { text += "\n    hint: \(hint)" }
        return text
    }
}

/// A configuration that does not compile. Carries every message of the run, not only the first.
public struct SALError: Error, Sendable, Hashable, CustomStringConvertible {
    /// All messages in the order of their places; at least one of them is an error.
    public let diagnostics: [SALDiagnostic]

    /// How many further messages of each level there are.
    package let omitted: [SALDiagnostic.Level: Int]

    /// Makes the error from the messages of a run.
    public init(diagnostics: [SALDiagnostic]) {
        self.init(diagnostics: diagnostics, omitted: [:])
    }

    init(diagnostics: [SALDiagnostic], omitted: [SALDiagnostic.Level: Int]) {
        self.diagnostics = diagnostics
        self.omitted = omitted
    }

    /// The messages of level error.
    public var errors: [SALDiagnostic] { diagnostics.filter { $0.level == .error } }

    /// The errors, one a line, each as `file:line:column:ERROR:message`.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
