import Glibc
import SpeechlyService

/// What the bytes are taken for.
enum InputKind: String, CaseIterable {
    case sal, yaml, csv
}

/// The kind that the environment variable FUZZ_INPUT names.
let inputKind = getenv("FUZZ_INPUT").flatMap { InputKind(rawValue: String(cString: $0)) }

/// A configuration around a table.
private let around = """
    imports: [{name: a, source: t.csv, field: 1}, {name: b, source: t.csv, field: 2}]
    entities: [{name: e, type: lookup, input_items: $a, output_items: $b}]
    templates: |
      *x go $a(e) {and $a}
    """

/// Tries one input; stops the process when a promise is broken.
func fuzz(_ bytes: [UInt8]) {
    guard let inputKind else { return }
    do {
        let configuration =
            switch inputKind {
            case .sal: try SALCompiler.compile(bytes: bytes, file: "f")
            case .yaml: try SALCompiler.compile(yaml: bytes, file: "f", imports: ["t.csv": Array("a,b\nc,d\n".utf8)])
            case .csv: try SALCompiler.compile(yaml: Array(around.utf8), file: "f", imports: ["t.csv": bytes])
            }
        check(configuration)
    } catch {
        hold(!error.errors.isEmpty, "fails without an error")
        check(error.diagnostics)
    }
}

private func check(_ configuration: SALConfiguration) {
    check(configuration.diagnostics)
    hold(!configuration.diagnostics.contains { $0.level == .error }, "compiles with an error")
    let moment = SALMoment(date: .init(timeIntervalSince1970: 1_631_404_800), timeZone: .gmt)
    for sample in configuration.sample(count: 3, seed: 1) {
        let words = sample.split(separator: " ").map(String.init).filter { !$0.hasPrefix("*") }
        check(configuration.understand(words, at: moment), words)
        check(
            configuration.understand(Array(words.dropLast()) + ["the", "x"], at: moment), words.dropLast() + ["", ""])
        check(configuration.understandPrefix(words, at: moment), words)
    }
    if configuration.expansionCount < 1000 {
        for arc in configuration.graph.arcs { hold(arc.probability > 0 && arc.probability < 1.001, "has a bad arc") }
    }
}

/// Every word is in one segment, every entity in its segment, no value is empty.
private func check(_ segments: [SALSegment], _ words: [String]) {
    hold(segments.isEmpty == words.isEmpty, "gives segments for no words, or none")
    var end = 0
    for segment in segments {
        hold(segment.words.lowerBound == end && !segment.words.isEmpty, "leaves words out")
        end = segment.words.upperBound
        for entity in segment.entities {
            hold(
                entity.start >= 0 && entity.start < entity.end && entity.end <= segment.words.count,
                "misplaces an entity")
            hold(!entity.value.isEmpty, "gives an entity without a value")
        }
    }
    hold(end == words.count, "leaves words out at the end")
}

private func check(_ diagnostics: [SALDiagnostic]) {
    for diagnostic in diagnostics {
        hold(diagnostic.line > 0 && diagnostic.column > 0, "has a message without a place")
        hold(diagnostic.caretOffset <= diagnostic.sourceLine.count, "points behind the line")
        hold(!diagnostic.file.isEmpty, "has a message without a file")
    }
}

private func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
    if condition { return }
    print("BROKEN: the compiler \(otherwise())")
    fflush(nil)
    abort()
}
