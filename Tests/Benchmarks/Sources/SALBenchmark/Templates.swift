import SpeechlyService

/// Configurations and utterances to measure with, the same at every run.
struct Workload {
    let source: String
    let configuration: SALConfiguration
    /// Utterances of ten words, nine of ten from the configuration, one with a word changed.
    let utterances: [[String]]

    init(source: String, words: Int = 10) throws(SALError) {
        self.source = source
        configuration = try SALCompiler.compile(source, file: "benchmark.sal")
        var found: [[String]] = []
        var seed: UInt64 = 1
        while found.count < 1000, seed < 200 {
            for sample in configuration.sample(count: 1000, seed: seed) {
                var spoken = plainWords(sample)
                guard spoken.count == words else { continue }
                if found.count % 10 == 9 { spoken[words / 2] = "elsewhere" }
                found.append(spoken)
            }
            seed += 1
        }
        utterances = Array(found.prefix(1000))
    }
}

/// An annotated utterance without its annotation.
func plainWords(_ annotated: String) -> [String] {
    annotated.split(separator: " ").filter { !$0.hasPrefix("*") }.map { word in
        let word = word.drop { $0 == "[" }
        return String(word.prefix { $0 != "]" })
    }
}

private let syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"]

/// A word of letters for a number.
func word(_ number: Int) -> String {
    var rest = number
    var text = ""
    repeat {
        text = syllables[rest % syllables.count] + text
        rest /= syllables.count
    } while rest > 0
    return text
}

private let lists = """
    color = [\((0..<30).map { "col\(word($0))" }.joined(separator: " | "))]
    place = [\((0..<60).map { "at\(word($0)) \(word($0 + 7))" }.joined(separator: " | "))]

    """

/// Templates as applications have them: forty verbs, some hundred nouns, optional parts, shared lists.
func mixedTemplates(_ count: Int) -> String {
    lists
        + (0..<count).map { number in
            let verb = "v\(word(number % 40))"
            let noun = "n\(word(number / 40 % 250))"
            let other = "m\(word(number * 7 % 999))"
            return "*intent_\(number) {please} [\(verb) | \(verb)en] {{all} the} $color(color) \(noun) "
                + "[in | to] $place(place) with \(other) {right now}"
        }.joined(separator: "\n")
}

/// Templates that begin alike and differ only at their end: every one stays possible for nine words.
func similarTemplates(_ count: Int) -> String {
    lists
        + (0..<count).map { number in
            "*intent_\(number) would you please show me $color(color) things in the x\(word(number))"
        }.joined(separator: "\n")
}
