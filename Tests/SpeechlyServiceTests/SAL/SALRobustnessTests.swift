import XCTest

@testable import SpeechlyService

/// Hostile input: an answer with a place, or success; never a crash, a hang or much memory.
final class SALRobustnessTests: XCTestCase {
    private func assertError(
        _ source: String, _ text: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        // Small limits are met sooner by the unoptimised compiler of the tests.
        let limits = SALCompiler.Limits(work: 100_000, steps: 100_000)
        let errors = SALTest.diagnostics(source, limits: limits).filter { $0.level == .error }
        XCTAssertTrue(errors.first?.message.contains(text) == true, "\(errors.prefix(2))", file: file, line: line)
    }

    func testRandomBytes() {
        var random = SALRandom(seed: 11)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            check(bytes)
        }
    }

    func testRandomNotation() {
        var random = SALRandom(seed: 12)
        let pieces = [
            "*a", "*", "[", "]", "{", "}", "(", ")", "(x)", "|", "!", "![", "$", "$v", "v", "v = ", "=", "..", "1",
            "0.5:", "3:", "[1..3]", "\n", " ", "\t", "#", "\r\n", "b", "c", "é", "-", "'", "🙂", "\u{0}", "\u{A0}",
        ]
        for _ in 0..<5000 {
            let source = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined(separator: Bool.random(using: &random) ? "" : " ")
            check(Array(source.utf8))
        }
    }

    func testDamagedConfigurations() {
        var random = SALRandom(seed: 13)
        for seed in 0..<500 as Range<UInt64> {
            var bytes = Array(SALRandomSource(seed: seed, size: 10).text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = Array("*[]{}()|$!\n :=.x1".utf8).randomElement(using: &random) ?? 0
                default: bytes.insert(bytes[place], at: place)
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            check(bytes)
        }
    }

    /// Each of them can be any of those that follow, which is cubic in their number if nothing bounds it.
    func testManyEqualOptionalWordsTakeStepsInProportion() throws {
        let configuration = try SALTest.compile("*a " + String(repeating: "{x} ", count: 250) + "y")
        var builder = SALIndexBuilder(network: configuration.network, maximumSteps: 1_000_000)
        XCTAssertNotNil(builder.build())
        XCTAssertLessThan(builder.examinedSteps, 20 * 250 * 250)
        XCTAssertEqual(configuration.understand(SALTest.words("x x x y")).map(\.intent), ["a"])
    }

    /// Compiles; what compiles must work, what does not must say where.
    private func check(_ bytes: [UInt8]) {
        do {
            let configuration = try SALCompiler.compile(bytes: bytes, file: "random.sal")
            let samples = configuration.sample(count: 2, seed: 1)
            for sample in samples { _ = configuration.understand(SALTest.words(sample)) }
            _ = configuration.understandPrefix(["b", "c"])
        } catch {
            XCTAssertFalse(error.errors.isEmpty)
            for diagnostic in error.diagnostics {
                XCTAssertGreaterThan(diagnostic.line, 0)
                XCTAssertGreaterThan(diagnostic.column, 0)
                XCTAssertLessThanOrEqual(diagnostic.caretOffset, diagnostic.sourceLine.count)
            }
        }
    }

    func testDeepNesting() {
        for (open, close) in [("[", "]"), ("{", "}"), ("![", "]")] {
            assertError("*a " + String(repeating: open, count: 200_000), "nested deeper")
            let both = String(repeating: open, count: 100_000) + "b" + String(repeating: close, count: 100_000)
            assertError("*a \(both)", "nested deeper")
        }
        assertError(String(repeating: "]", count: 100_000), "']' without")
        let chain = (1...500).map { "v\($0) = $v\($0 - 1) x\n" }.joined()
        assertError("v0 = x\n\(chain)*a $v500", "nested deeper than 100 levels, variables included")
    }

    func testLongLines() throws {
        let words = (0..<50_000).map { "w\($0 % 100)" }.map { $0.filter(\.isLetter) }
        let utterance = try SALTest.compile("*a \(words.joined(separator: " "))")
        XCTAssertEqual(utterance.understand(words), [SALSegment(intent: "a", words: 0..<50_000)])
        XCTAssertEqual(utterance.sample(count: 1, seed: 1)[0].count, 100_002)
        XCTAssertEqual(try SALTest.compile("*a " + String(repeating: "x", count: 1 << 20)).vocabulary.count, 1)
        let list = try SALTest.compile("*a [\((0..<20_000).map(name).joined(separator: " | "))](e)")
        XCTAssertEqual(list.understand([name(19_999)])[0].entities.map(\.type), ["e"])
        assertError("*a b " + String(repeating: "{c} ", count: 20_000), "too many optional parts")
        assertError("*a b" + String(repeating: "{c}", count: 20_000), "too many combinations")
    }

    private func name(_ number: Int) -> String {
        "x" + String(number).utf8.map { String(UnicodeScalar($0 + 49)) }.joined()
    }

    func testMoreExpansionsThanCanBeListed() throws {
        let lists = String(repeating: "[a | b | c | d | e | f | g | h | i | j] ", count: 40)
        let configuration = try SALTest.compile("*x \(lists)")
        let words = (0..<40).map { String("abcdefghij".shuffled(seed: UInt64($0))) }
        XCTAssertEqual(configuration.understand(words), [SALSegment(intent: "x", words: 0..<40)])
        XCTAssertEqual(configuration.graph.arcs.count, 400)
        XCTAssertEqual(configuration.expansionCount / 1e40, 1, accuracy: 1e-9)
    }

    func testVariablesThatMultiply() throws {
        // Each level is two calls of the one below: 2^40 words, forty small rules.
        let doubling = (1...40).map { "v\($0) = $v\($0 - 1) $v\($0 - 1)\n" }.joined()
        let configuration = try SALTest.compile("v0 = [a | b | c | d | e | f | g]\n\(doubling)*x $v40")
        XCTAssertLessThan(configuration.network.arcs.count, 200)
        XCTAssertEqual(configuration.expansionCount, .infinity)
        XCTAssertEqual(configuration.understandPrefix(["a", "b", "c"]).map(\.intent), ["x"])
        XCTAssertFalse(configuration.graph.isExact)
        // Parts that may be empty are copied: these do grow.
        assertError("v0 = {a}\n\(doubling)*x b $v40", "too large")
        assertError("v0 = ,\n\(doubling)*x b $v40", "too large")
    }

    func testSharedGraphOfALargeConfiguration() throws {
        let list = (0..<1000).map(name).joined(separator: " | ")
        let lines = (0..<3000).map { "*i\($0 % 7) go\(name($0)) $big(e) now" }.joined(separator: "\n")
        let configuration = try SALTest.compile("big = [\(list)]\n\(lines)")
        let graph = configuration.graph
        XCTAssertFalse(graph.isExact)
        XCTAssertLessThan(graph.arcs.count, 20_000)
        var sums: [Int: Double] = [:]
        for arc in graph.arcs { sums[arc.from, default: 0] += arc.probability }
        XCTAssertNil(sums[graph.finalState])
        for (state, sum) in sums { XCTAssertEqual(sum, 1, accuracy: 1e-6, "\(state)") }
        XCTAssertEqual(
            configuration.understand(["go" + name(5), name(77), "now"]),
            [
                SALSegment(
                    intent: "i5", words: 0..<3, entities: [SALEntity(type: "e", value: name(77), start: 1, end: 2)])
            ])
    }

    func testLargestPermutation() throws {
        let items = (0..<12).map { "{$c and \(name($0))}" }
        let configuration = try SALTest.compile("c = [a|b|c|d|e|f]\n*x go ![\(items.joined(separator: "|"))]")
        let words = [0, 11, 7, 3].flatMap { ["b", "and", name($0)] }
        XCTAssertEqual(configuration.understand(["go"] + words), [SALSegment(intent: "x", words: 0..<13)])
    }

    func testTooLargeText() {
        XCTAssertThrowsError(
            try SALCompiler.compile(bytes: [UInt8](repeating: 0x20, count: SALSource.maximumSize + 1), file: "f")
        ) { XCTAssertTrue("\($0)".contains("too large"), "\($0)") }
    }
}

extension String {
    /// One of its characters, by a seed.
    fileprivate func shuffled(seed: UInt64) -> Character {
        var random = SALRandom(seed: seed)
        return randomElement(using: &random) ?? "a"
    }
}
