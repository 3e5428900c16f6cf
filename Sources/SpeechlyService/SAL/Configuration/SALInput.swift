/// Everything the compiler is given: the texts, and what stands beside the templates in a `config.yaml`.
struct SALInput {
    struct Name {
        var text: String
        var offset: Int
    }

    /// A variable from a column of a CSV file.
    struct Import {
        var name: Name
        var cells: [Range<Int>]
        /// Its cells are results of a lookup: no character in them has a meaning.
        var isPlain = false
    }

    struct Entity {
        var name: Name
        var type: SALDataType
        /// The variables of a lookup.
        var inputs: Name?
        var outputs: Name?
    }

    /// A message that is known before the compiler runs.
    struct Remark {
        var level: SALDiagnostic.Level
        var offset: Int
        var message: String
        var hint: String?
    }

    var source = SALSource()
    var templates: [Range<Int>] = []
    var imports: [Import] = []
    var entities: [Entity] = []
    var intents: [Name] = []
    var settings = SALSettings()
    var remarks: [Remark] = []

    init() {}

    /// Plain SAL.
    init(file: String, bytes: [UInt8]) {
        templates = [source.append(file: file, bytes: bytes)]
    }

    var isTooLarge: Bool { source.bytes.count > SALSource.maximumSize }

    mutating func error(at offset: Int, _ message: String, hint: String? = nil) {
        remarks.append(Remark(level: .error, offset: offset, message: message, hint: hint))
    }

    mutating func warn(at offset: Int, _ message: String, hint: String? = nil) {
        remarks.append(Remark(level: .warning, offset: offset, message: message, hint: hint))
    }
}

/// What a `config.yaml` sets beside its templates.
struct SALSettings: Hashable, Sendable {
    var language: String?
    /// In milliseconds.
    var silenceTriggeredSegmentation: Int?
    /// Only what the templates can produce is understood.
    var isStrict = false
}
