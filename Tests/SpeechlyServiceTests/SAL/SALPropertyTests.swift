import XCTest

@testable import SpeechlyService

/// Random configurations: the automata agree with the definition of the language, and what is sampled is
/// understood as it was meant.
final class SALPropertyTests: XCTestCase {
    func testAutomataAgreeWithTheDefinition() throws {
        for seed in 0..<300 as Range<UInt64> {
            let source = SALRandomSource(seed: seed, size: 4).text
            let configuration = try SALTest.compile(source)
            let expected = SALOracle.expansions(source)
            guard expected.count < 3000 else { continue }
            SALTest.assertEqual(SALTest.expansions(configuration), expected, source)
            var plain: [String: Double] = [:]
            for (text, probability) in expected { plain[SALTest.plain(text), default: 0] += probability }
            SALTest.assertEqual(SALTest.sentences(configuration.graph), plain, source)
        }
    }

    func testSamplesAreUnderstoodAsMeant() throws {
        for seed in 1000..<1300 as Range<UInt64> {
            let source = SALRandomSource(seed: seed, size: 14).text
            let configuration = try SALTest.compile(source)
            for sample in configuration.sample(count: 20, seed: seed) {
                let text = SALTest.plain(sample)
                XCTAssertEqual(SALTest.understood(configuration, text), sample, source)
                XCTAssertEqual(SALTest.understood(configuration, text.uppercased()).lowercased(), sample.lowercased())
            }
        }
    }

    func testSeveralSamplesInARow() throws {
        for seed in 2000..<2100 as Range<UInt64> {
            let source = SALRandomSource(seed: seed, size: 8).text
            let configuration = try SALTest.compile(source)
            let samples = configuration.sample(count: 3, seed: seed)
            let text = samples.map(SALTest.plain).joined(separator: " ")
            XCTAssertEqual(SALTest.understood(configuration, text), samples.joined(separator: " "), source)
        }
    }

    /// Every beginning of a sample has a derivation; at its end it is the one meant.
    func testPrefixesOfSamples() throws {
        for seed in 3000..<3100 as Range<UInt64> {
            let configuration = try SALTest.compile(SALRandomSource(seed: seed, size: 8).text)
            for sample in configuration.sample(count: 3, seed: seed) {
                let words = SALTest.words(SALTest.plain(sample))
                for count in 1...words.count {
                    let segments = configuration.understandPrefix(Array(words.prefix(count)))
                    XCTAssertFalse(segments.contains { $0.intent.isEmpty }, sample)
                    XCTAssertEqual(segments.last?.words.upperBound, count)
                }
            }
        }
    }

    func testSamplesFollowTheProbabilities() throws {
        let source = "c = [6: a | 3: b | c]\n*x go $c(v) {0.2: now}\n*y ![$c | {0.7: z}] on"
        let configuration = try SALTest.compile(source)
        let expected = SALTest.expansions(configuration)
        let samples = configuration.sample(count: 20_000, seed: 42)
        let counts = Dictionary(grouping: samples, by: { $0 }).mapValues { Double($0.count) / 20_000 }
        for (text, probability) in expected {
            // Five standard deviations.
            XCTAssertEqual(
                counts[text] ?? 0, probability, accuracy: 5 * (probability * (1 - probability) / 20_000).squareRoot(),
                text)
        }
        XCTAssertTrue(Set(samples).isSubset(of: expected.keys))
    }

    func testSamplingIsDeterministic() throws {
        let configuration = try SALTest.compile("*x [a | b | c] ![d | e | {f}]")
        XCTAssertEqual(configuration.sample(count: 50, seed: 1), configuration.sample(count: 50, seed: 1))
        XCTAssertNotEqual(configuration.sample(count: 50, seed: 1), configuration.sample(count: 50, seed: 2))
        XCTAssertEqual(
            configuration.sample(count: 4, seed: 99),
            try SALTest.compile("*x [a | b | c] ![d | e | {f}]").sample(count: 4, seed: 99))
        XCTAssertEqual(configuration.sample(count: 0, seed: 1), [])
        XCTAssertEqual(configuration.sample(count: -1, seed: 1), [])
        XCTAssertEqual(try SALTest.compile("").sample(count: 3, seed: 1), [])
    }
}

/// Writes random configurations in which every word occurs once, so that a derivation is unique.
struct SALRandomSource {
    private(set) var text = ""
    private var random: SALRandom
    private var wordCount = 0
    private var budget: Int
    private var variables: [(name: String, isPlain: Bool)] = []

    init(seed: UInt64, size: Int) {
        random = SALRandom(seed: seed)
        budget = size
        for number in 0..<Int.random(in: 0...3, using: &random) {
            let plain = Bool.random(using: &random)
            text += "v\(number) = \(expression(depth: 2, isPlain: plain))\n"
            variables.append(("v\(number)", plain))
        }
        for number in 0..<Int.random(in: 1...4, using: &random) {
            budget = size
            text += "*i\(number) \(word()) \(expression(depth: 3, isPlain: false))"
            if number == 0 { text += " {*again \(word()) \(expression(depth: 1, isPlain: false))}" }
            text += "\n"
        }
    }

    private mutating func word() -> String {
        wordCount += 1
        return "w"
            + String(wordCount, radix: 26).map { digit in
                String(UnicodeScalar(UInt8(97 + (Int(String(digit), radix: 26) ?? 0))))
            }.joined()
    }

    /// Begins with a word, so that it is never empty.
    private mutating func expression(depth: Int, isPlain: Bool) -> String {
        var parts = [word()]
        for _ in 0..<Int.random(in: 0...2, using: &random) { parts.append(element(depth: depth, isPlain: isPlain)) }
        return parts.joined(separator: " ")
    }

    private mutating func element(depth: Int, isPlain: Bool) -> String {
        budget -= 1
        guard depth > 0, budget > 0 else { return word() }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "{\(weight(optional: true))\(expression(depth: depth - 1, isPlain: isPlain))}"
        case 1: return "![\(items(depth, isPlain: isPlain, weights: false))]"
        case 2, 3: return "[\(items(depth, isPlain: isPlain, weights: true))]"
        case 4 where !isPlain:
            return "[\(items(depth, isPlain: true, weights: true))](e\(Int.random(in: 0...3, using: &random)))"
        case 5, 6:
            let usable = variables.filter { $0.isPlain || !isPlain }
            guard let variable = usable.randomElement(using: &random) else { return word() }
            return variable.isPlain && !isPlain ? "\(word()) $\(variable.name)(\(variable.name))" : "$\(variable.name)"
        default: return word()
        }
    }

    private mutating func items(_ depth: Int, isPlain: Bool, weights: Bool) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            if !weights, Bool.random(using: &random) {
                return "{\(weight(optional: true))\(expression(depth: depth - 1, isPlain: isPlain))}"
            }
            return (weights ? weight(optional: false) : "") + expression(depth: depth - 1, isPlain: isPlain)
        }.joined(separator: Bool.random(using: &random) ? " | " : "\n")
    }

    private mutating func weight(optional: Bool) -> String {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: optional ? "0.\(Int.random(in: 1...9, using: &random)): " : "\(Int.random(in: 1...5, using: &random)): "
        default: ""
        }
    }
}
