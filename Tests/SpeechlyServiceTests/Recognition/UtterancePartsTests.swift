import XCTest

@testable import SpeechlyService

final class UtterancePartsTests: XCTestCase {
    private func segments(_ tokens: [(String, Int)]) -> [PocketSphinxDecoder.Segment] {
        var frame = 0
        return tokens.map { token, length in
            defer { frame += length }
            return PocketSphinxDecoder.Segment(token: token, frames: frame..<frame + length)
        }
    }

    private func borders(_ tokens: [(String, Int)], complete: Set<[String]>) -> [Int] {
        UtteranceParts.borders(in: segments(tokens)) { part in
            complete.contains(part.map(\.token).filter { $0 != "<sil>" })
        }
    }

    func testPartsEndInTheMiddleOfPausesBetweenCompleteUtterances() {
        let complete: Set = [["a", "b"], ["c"], ["c", "d"], ["d"]]
        XCTAssertEqual(
            borders([("<sil>", 30), ("a", 20), ("b", 20), ("<sil>", 40), ("c", 10)], complete: complete), [90])
        XCTAssertEqual(
            borders(
                [("a", 20), ("b", 20), ("<sil>", 20), ("c", 10), ("<sil>", 20), ("d", 10), ("<sil>", 90)],
                complete: complete),
            [50, 80])
    }

    func testAPauseWithinAnUtteranceAndAShortOneDivideNothing() {
        let complete: Set = [["a"], ["a", "b"], ["c"]]
        XCTAssertEqual(borders([("a", 20), ("<sil>", 40), ("b", 20)], complete: complete), [])
        XCTAssertEqual(borders([("a", 20), ("<sil>", 11), ("c", 20)], complete: complete), [])
        XCTAssertEqual(borders([("a", 20), ("<sil>", 12), ("c", 20)], complete: complete), [26])
        XCTAssertEqual(borders([], complete: complete), [])
    }

    func testTheAcceptorKnowsCompleteUtterances() throws {
        let graph = try SALCompiler.compile("*a show {me} {[the | all]} repos\n*b order by stars", file: "test.sal")
            .graph
        let acceptor = UtteranceAcceptor(graph) { _ in true }
        func accepts(_ text: String) -> Bool { acceptor.accepts(text.split(separator: " ").map(String.init)) }
        for text in ["show repos", "show me all repos", "order by stars", "order by stars show the repos"] {
            XCTAssertTrue(accepts(text), text)
        }
        for text in ["", "show", "show me all", "order by stars show", "repos", "order by forks", "show me me repos"] {
            XCTAssertFalse(accepts(text), text)
        }
    }

    func testAWordThatCannotBeSaidNeedNotBeHeard() throws {
        let graph = try SALCompiler.compile("*a play 日本 now", file: "test.sal").graph
        XCTAssertTrue(UtteranceAcceptor(graph) { $0 != "日本" }.accepts(["play", "now"]))
        XCTAssertFalse(UtteranceAcceptor(graph) { _ in true }.accepts(["play", "now"]))
    }
}
