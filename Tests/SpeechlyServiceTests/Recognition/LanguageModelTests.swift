import XCTest

@testable import SpeechlyService

final class LanguageModelTests: XCTestCase {
    private func model(_ sal: String, otherSpeech: Double = 0) throws -> String {
        let graph = try SALCompiler.compile(sal, file: "test.sal").graph
        let words = Set(graph.arcs.compactMap(\.word)).sorted()
        let tokens = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($0.element, $0.offset) })
        return LanguageModelEstimate(graph: graph, tokens: tokens, otherSpeech: otherSpeech).arpa()
    }

    /// The probabilities of a section by the words of the line, in the order of the tokens.
    private func section(_ order: Int, of arpa: String) throws -> [String: Double] {
        let start = try XCTUnwrap(arpa.range(of: "\\\(order)-grams:\n"))
        var found: [String: Double] = [:]
        for line in arpa[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false) {
            let parts = line.split(separator: " ")
            guard parts.count > order, let log = Double(parts[0]) else { break }
            found[parts[1...order].joined(separator: " ")] = pow(10, log)
        }
        return found
    }

    func testProbabilitiesAreThoseOfTheConfiguration() throws {
        // Tokens: w0 go, w1 left, w2 now, w3 right.
        let arpa = try model("*go go [3: left | right] {0.2: now}")
        let pairs = try section(2, of: arpa)
        XCTAssertEqual(try XCTUnwrap(pairs["<s> w0"]), 0.95, accuracy: 0.001)
        XCTAssertEqual(try XCTUnwrap(pairs["w0 w1"]), 0.75 * 0.95, accuracy: 0.001)
        XCTAssertEqual(try XCTUnwrap(pairs["w0 w3"]), 0.25 * 0.95, accuracy: 0.001)
        XCTAssertNil(pairs["w1 w3"])
        let triples = try section(3, of: arpa)
        XCTAssertEqual(try XCTUnwrap(triples["w0 w1 w2"]), 0.2 * 0.95, accuracy: 0.001)
        XCTAssertEqual(try XCTUnwrap(triples["w0 w1 </s>"]), 0.8 * 0.95, accuracy: 0.001)
    }

    func testContextOfTwoWordsTellsWhatOneDoesNot() throws {
        // Tokens: w0 a, w1 b, w2 m, w3 x, w4 y.
        let triples = try section(3, of: model("*one a m x\n*two b m y"))
        XCTAssertEqual(try XCTUnwrap(triples["w0 w2 w3"]), 0.95, accuracy: 0.001)
        XCTAssertNil(triples["w0 w2 w4"])
    }

    func testHeaderCountsWhatFollows() throws {
        let arpa = try model("*go go [left | right] {now}", otherSpeech: 0.003)
        for order in 1...3 {
            let count = try XCTUnwrap(arpa.firstMatch(of: try Regex("ngram \(order)=([0-9]+)"))?.output[1].substring)
            XCTAssertEqual(Int(count), try section(order, of: arpa).count, "\(order)")
        }
    }

    func testEmphasisMakesAWordMoreLikely() throws {
        let graph = try SALCompiler.compile("*go go [left | right]", file: "test.sal").graph
        let estimate = LanguageModelEstimate(graph: graph, tokens: ["go": 0, "left": 1, "right": 2], otherSpeech: 0)
        let plain = try section(2, of: estimate.arpa())
        let favoured = try section(2, of: estimate.arpa(emphasis: WordEmphasis(["LEFT"], bias: 1)))
        XCTAssertEqual(try XCTUnwrap(favoured["w0 w1"]), 2 * (plain["w0 w1"] ?? 0), accuracy: 0.001)
        XCTAssertEqual(favoured["w0 w2"], plain["w0 w2"])
    }
}
