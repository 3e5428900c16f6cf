/// The variables `$SPEECHLY.…`: each a grammar of spoken forms, written in SAL itself.
enum SALStandardVariables {
    static let prefix = "SPEECHLY."
    /// What messages call the text of the grammars.
    static let file = "standard variables"
    /// Within the grammars only: any one word, beside what a list names.
    static let anyWord = "SPEECHLY.any_word"

    /// Definitions in an order in which each uses only those before it. Names in lower case are their own.
    private static let definitions: [(name: String, value: String)] =
        SALStandardNumbers.definitions + SALStandardTimes.definitions + SALStandardNames.definitions

    /// The names that a configuration may use.
    static let names = definitions.map { prefix + $0.name }.filter { $0 == $0.uppercased() }

    /// The definitions, one a line, that a text needs for the variables it uses; nil if it uses none.
    static func text(for bytes: [UInt8]) -> String? {
        var needed = uses(in: bytes)
        guard !needed.isEmpty else { return nil }
        var lines: [String] = []
        for definition in definitions.reversed() where needed.contains(definition.name) {
            lines.append("\(prefix)\(definition.name) = \(definition.value)")
            needed.formUnion(uses(in: Array(definition.value.utf8)))
        }
        return lines.isEmpty ? nil : lines.reversed().joined(separator: "\n")
    }

    /// The names behind each `$SPEECHLY.`.
    private static func uses(in bytes: [UInt8]) -> Set<String> {
        let mark = Array("$\(prefix)".utf8)
        var names: Set<String> = []
        var offset = 0
        while offset + mark.count < bytes.count {
            guard bytes[offset] == mark[0], bytes[offset..<offset + mark.count].elementsEqual(mark) else {
                offset += 1
                continue
            }
            let start = offset + mark.count
            offset = start
            while offset < bytes.count, Ascii.isName(bytes[offset]) { offset += 1 }
            var end = offset
            while end > start, bytes[end - 1] == Ascii.hyphen { end -= 1 }
            names.insert(String(decoding: bytes[start..<end], as: UTF8.self))
        }
        return names
    }
}
