/// Reads a `config.yaml`: templates, and what they mean.
struct SALConfigurationReader {
    /// Reads a file beside the configuration.
    typealias FileReader = (_ name: String) -> Result<[UInt8], SALFileProblem>

    var input = SALInput()
    let folder: String
    let readFile: FileReader
    /// CSV files read so far; nil for those with an error.
    var tables: [String: [CSVReader.Row]?] = [:]

    /// Keys of the Speechly API that change nothing here.
    private static let knownKeys: Set<String> = [
        "model", "fast_intent_detector", "asr_biasing", "adaptation_audio_package", "disable_mel_caching", "version",
        "name",
    ]

    /// - Parameters:
    ///   - file: the name for messages.
    ///   - folder: put before the names of the files beside it in messages.
    static func read(
        file: String, bytes: [UInt8], folder: String = "", readFile: @escaping FileReader
    ) -> SALInput {
        var reader = SALConfigurationReader(folder: folder, readFile: readFile)
        reader.read(file, bytes)
        return reader.input
    }

    private init(folder: String, readFile: @escaping FileReader) {
        self.folder = folder
        self.readFile = readFile
    }

    private mutating func read(_ file: String, _ bytes: [UInt8]) {
        _ = input.source.append(file: file, bytes: bytes)
        // The compiler reports both.
        guard !input.isTooLarge, String(validating: bytes, as: UTF8.self) != nil else { return }
        let root: YAMLNode?
        do {
            root = try YAMLReader.read(bytes)
        } catch {
            return input.error(
                at: error.offset, "not YAML: \(error.message)",
                hint: error.hint ?? "templates stand indented below 'templates: |'")
        }
        guard let root, !root.isNull else { return }
        guard case .mapping(let entries) = root.kind else {
            return input.error(
                at: root.range.lowerBound, "not a configuration: its keys are missing",
                hint: "write 'templates: |' and the templates indented below it; a file of plain SAL ends in .sal")
        }
        // Which imports are results of a lookup has to be known before they are read.
        for entry in distinct(entries) where entry.key.text != "imports" { read(entry.key, entry.value) }
        for entry in entries where entry.key.text == "imports" { readImports(entry.value) }
    }

    /// The entries of a mapping; of those with the same key the first, and an error.
    func distinctKeys(_ entries: [(key: YAMLNode, value: YAMLNode)]) -> (kept: [Int], repeated: [Int]) {
        var seen: Set<String> = []
        var result: (kept: [Int], repeated: [Int]) = ([], [])
        for (index, entry) in entries.enumerated() {
            if let key = entry.key.text, !seen.insert(key).inserted {
                result.repeated.append(index)
            } else {
                result.kept.append(index)
            }
        }
        return result
    }

    mutating func distinct(_ entries: [(key: YAMLNode, value: YAMLNode)]) -> [(key: YAMLNode, value: YAMLNode)] {
        let (kept, repeated) = distinctKeys(entries)
        for index in repeated {
            input.error(at: entries[index].key.range.lowerBound, "key '\(shown(entries[index].key))' occurs twice")
        }
        return kept.map { entries[$0] }
    }

    func shown(_ node: YAMLNode) -> String {
        guard let text = node.text else { return "…" }
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    private mutating func read(_ key: YAMLNode, _ value: YAMLNode) {
        switch key.text {
        case "templates": readTemplates(value)
        case "entities": readEntities(value)
        case "intents": readIntents(value)
        case "lang": readLanguage(value)
        case "silence_triggered_segmentation": readSegmentation(value)
        case "enable_strict_nlu": input.settings.isStrict = readFlag(value) ?? false
        case let name? where Self.knownKeys.contains(name): break
        default:
            input.warn(
                at: key.range.lowerBound, "unknown key '\(shown(key))' is passed over",
                hint: "known are templates, entities, intents, imports, lang, silence_triggered_segmentation, "
                    + "enable_strict_nlu")
        }
    }

    private mutating func readLanguage(_ value: YAMLNode) {
        input.settings.language = scalar(value, of: "lang")
        guard let language = input.settings.language, !PocketSphinxPreparation.hears(language) else { return }
        input.warn(
            at: value.range.lowerBound, "the shipped recogniser does not hear '\(shown(value))'",
            hint: "write en-US, or give the service a recogniser of your own")
    }

    private mutating func readTemplates(_ value: YAMLNode) {
        switch value.kind {
        case .scalar(let text, let isLiteral):
            if value.isNull { return }
            if isLiteral, let lines = lines(value.range) {
                // They are read where they stand: places in messages are right by themselves.
                input.templates.append(lines)
            } else {
                input.templates.append(input.source.append(Array(text.utf8), shownAt: value.range.lowerBound))
            }
        case .sequence(let items):
            for item in items {
                guard item.text != nil else {
                    input.error(at: item.range.lowerBound, "a template is text")
                    continue
                }
                readTemplates(item)
            }
        case .mapping:
            input.error(
                at: value.range.lowerBound, "templates are text, not keys",
                hint: "write 'templates: |' and the templates indented below it")
        }
    }

    /// The lines of a block behind its `|`; nil if they end as lines of SAL do not.
    private func lines(_ range: Range<Int>) -> Range<Int>? {
        let bytes = input.source.bytes[range]
        guard let header = bytes.firstIndex(of: Ascii.newline) else { return nil }
        var isReturn = false
        for byte in bytes {
            if isReturn, byte != Ascii.newline { return nil }
            isReturn = byte == Ascii.carriageReturn
        }
        return header + 1..<range.upperBound
    }

    private mutating func readIntents(_ value: YAMLNode) {
        for item in items(value, of: "intents") {
            var node = item
            if case .mapping(let entries) = item.kind, let name = entries.first(where: { $0.key.text == "name" }) {
                node = name.value
            }
            if let name = scalar(node, of: "intents") {
                input.intents.append(SALInput.Name(text: name, offset: node.range.lowerBound))
            }
        }
    }

    private mutating func readSegmentation(_ value: YAMLNode) {
        guard let text = scalar(value, of: "silence_triggered_segmentation") else { return }
        guard let number = Double(text), (0...600_000).contains(number) else {
            return input.error(
                at: value.range.lowerBound, "silence_triggered_segmentation is '\(shown(value))'",
                hint: "write the length of the silence in milliseconds, 0 for never")
        }
        input.settings.silenceTriggeredSegmentation = Int(number)
    }

    private mutating func readFlag(_ value: YAMLNode) -> Bool? {
        switch value.text?.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default:
            input.error(at: value.range.lowerBound, "'\(shown(value))' is neither true nor false")
            return nil
        }
    }

    // MARK: Values

    /// The items of a list; none for a value that is missing.
    mutating func items(_ value: YAMLNode, of key: String) -> [YAMLNode] {
        if case .sequence(let items) = value.kind { return items }
        if !value.isNull {
            input.error(
                at: value.range.lowerBound, "\(key) is not a list",
                hint: "begin each item on a line of its own with '-'")
        }
        return []
    }

    /// A text that is not empty.
    mutating func scalar(_ value: YAMLNode, of key: String) -> String? {
        guard let text = value.text, !value.isNull else {
            input.error(at: value.range.lowerBound, "\(key) has no value")
            return nil
        }
        return text
    }
}

extension YAMLNode {
    /// A value that was left out.
    var isNull: Bool {
        guard case .scalar(let text, let isLiteral) = kind else { return false }
        return !isLiteral && (text.isEmpty || text == "~" || text == "null")
    }
}
