import XCTest

@testable import SpeechlyService

/// Probabilities, computed exactly on the automata.
final class SALProbabilityTests: XCTestCase {
    private func assertProbabilities(
        _ source: String, _ expected: [String: Double], file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let configuration = try SALTest.compile(source)
        SALTest.assertEqual(SALTest.expansions(configuration), expected, file: file, line: line)
        SALTest.assertEqual(SALOracle.expansions(source), expected, file: file, line: line)
        var plain: [String: Double] = [:]
        for (text, probability) in expected {
            let compared = SALTest.words(SALTest.plain(text)).flatMap(SALWords.normalized)
            plain[compared.joined(separator: " "), default: 0] += probability
        }
        SALTest.assertEqual(SALTest.sentences(configuration.graph), plain, file: file, line: line)
    }

    func testListsAreUniform() throws {
        try assertProbabilities("*a [b | c | d | e]", ["*a b": 0.25, "*a c": 0.25, "*a d": 0.25, "*a e": 0.25])
        try assertProbabilities("*a [[b | c] | d]", ["*a b": 0.25, "*a c": 0.25, "*a d": 0.5])
    }

    func testListWeights() throws {
        let expected = ["*x turn": 0.6, "*x switch": 0.2, "*x activate": 0.2]
        try assertProbabilities("*x [3: turn | 1: switch | 1: activate]", expected)
        try assertProbabilities("*x [0.6: turn | 0.2: switch | 0.2: activate]", expected)
        try assertProbabilities("*x [3: turn | switch | activate]", expected)
        try assertProbabilities("p = [3: turn\nswitch\nactivate]\n*x $p", expected)
        try assertProbabilities("*x [0.1: a | b]", ["*x a": 1.0 / 11, "*x b": 10.0 / 11])
        try assertProbabilities("*x [3:a|b]", ["*x a": 0.75, "*x b": 0.25])
        try assertProbabilities("*x [0: a | b]", ["*x b": 1])
        try assertProbabilities(
            "*t by [0.4: one|0.4: two|0.2: five] degrees",
            ["*t by one degrees": 0.4, "*t by two degrees": 0.4, "*t by five degrees": 0.2])
    }

    func testWeightsOnlyAtTheStartOfAnItem() throws {
        try assertProbabilities("*x at 5: 30", ["*x at 5: 30": 1])
        try assertProbabilities("*x [at 5: b | c]", ["*x at 5: b": 0.5, "*x c": 0.5])
    }

    func testWeightsOnIntents() throws {
        try assertProbabilities(
            "f = *filter show\nall = [\n 15: $f\n 1: *hello hi\n]\n"
                + "$all", ["*filter show": 15.0 / 16, "*hello hi": 1.0 / 16])
    }

    func testOptionals() throws {
        try assertProbabilities("*a b {c}", ["*a b": 0.5, "*a b c": 0.5])
        try assertProbabilities("*a b {0.1: please}", ["*a b": 0.9, "*a b please": 0.1])
        try assertProbabilities("*a b {c {d}}", ["*a b": 0.5, "*a b c": 0.25, "*a b c d": 0.25])
        try assertProbabilities("*a b {0.25: [3: c | d]}", ["*a b": 0.75, "*a b c": 0.1875, "*a b d": 0.0625])
    }

    func testWhatIsNeverSaidIsNotThereEitherWherePartsMakeAWord() throws {
        try assertProbabilities("*a b {1: c}", ["*a b c": 1])
        try assertProbabilities("*a b {0: c}", ["*a b": 1])
        for (source, expected) in [
            ("*a {1: un}lock", ["*a unlock": 1]), ("*a {0: un}lock", ["*a lock": 1]),
            ("*a {1: b}{c} d", ["*a b d": 0.5, "*a bc d": 0.5]), ("*a [0: b | c]s", ["*a cs": 1]),
            ("*a {1: b}{1: c}", ["*a bc": 1]), ("*a {0: b}{0: c} d", ["*a d": 1]),
        ] {
            let configuration = try SALTest.compile(source)
            SALTest.assertEqual(SALTest.expansions(configuration), expected)
            XCTAssertFalse(configuration.graph.arcs.contains { $0.probability <= 0 }, source)
        }
    }

    func testWeightsThatMultiplyToNothingLeaveEverythingPossible() throws {
        let list = (0..<50).reduce("deep") { inner, level in "[0.0000001: \(inner) | 1000000000: y\(level)]" }
        let optional = (0..<50).reduce("deep") { inner, _ in "{0.0000001: \(inner)}" }
        let joined = String(repeating: "{0.0000001: a}", count: 10) + "b"
        for (source, said) in [
            ("*x \(list)", "deep"), ("*x go \(optional)", "go deep"), ("*x \(joined)", "aaaaaaaaaab"),
        ] {
            let configuration = try SALTest.compile(source)
            for arc in configuration.graph.arcs {
                XCTAssertGreaterThan(arc.probability, 0, source)
                XCTAssertLessThan(arc.probability, 1.001, source)
            }
            let segments = configuration.understand(SALTest.words(said))
            XCTAssertEqual(segments.map(\.intent), ["x"], source)
        }
    }

    func testPermutations() throws {
        try assertProbabilities(
            "*a ![b | c | d]",
            Dictionary(
                uniqueKeysWithValues: ["b c d", "b d c", "c b d", "c d b", "d b c", "d c b"]
                    .map { ("*a \($0)", 1.0 / 6) }))
        // Each optional decides for itself, the order of what is said is uniform.
        try assertProbabilities(
            "*a go ![{0.3: x} | {0.2: y}]",
            [
                "*a go": 0.7 * 0.8, "*a go x": 0.3 * 0.8, "*a go y": 0.7 * 0.2, "*a go x y": 0.03,
                "*a go y x": 0.03,
            ])
        try assertProbabilities(
            "*a ![{0.3: x} | y]", ["*a y": 0.7, "*a x y": 0.15, "*a y x": 0.15])
    }

    func testPermutationOfNamedAndComplexItems() throws {
        for source in [
            "x = {0.3: [a | b]}\n*i go ![$x | {0.5: c d} | e]", "*i ![{0.9: a} {b} | [c | 2: d e] | {f {g}}] h",
            "*i ![a | b {c} | {0.1: d} | ![e | {f}]]", "x = [a | b | c d | e f g | h]\n*i ![$x(v) | {$x(w)} | z]",
        ] {
            SALTest.assertEqual(
                SALTest.expansions(try SALTest.compile(source)), SALOracle.expansions(source), source)
        }
    }

    func testLinesAreUniform() throws {
        try assertProbabilities("*a b\n*c d\n*e f", ["*a b": 1.0 / 3, "*c d": 1.0 / 3, "*e f": 1.0 / 3])
    }

    func testProbabilitiesOfTheGraphAreNormalized() throws {
        let configuration = try SALTest.compile(
            """
            c = [a | b c | d e f | g | h | i]
            *x {$c} ![$c(u) | {0.2: $c(v)} | w] {z {$c}}
            *y [$c | y] on
            """)
        let graph = configuration.graph
        XCTAssertTrue(graph.isExact)
        var sums: [Int: Double] = [:]
        for arc in graph.arcs {
            sums[arc.from, default: 0] += arc.probability
            XCTAssertTrue((0..<graph.stateCount).contains(arc.from) && (0..<graph.stateCount).contains(arc.to))
        }
        XCTAssertNil(sums[graph.finalState])
        for state in 0..<graph.stateCount where state != graph.finalState {
            XCTAssertEqual(sums[state] ?? 0, 1, accuracy: 1e-9)
        }
    }
}
