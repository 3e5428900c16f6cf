import Speechly
import XCTest

@testable import SpeechlyCLI

final class ReadableTextTests: XCTestCase {
    private func segment(_ text: String, intent: String, _ entities: [Entity], first: Int = 0) -> Segment {
        let words = text.split(separator: " ").enumerated().map { index, word in
            Transcript(
                index: first + index, value: String(word), startOffset: 0.31, endOffset: 0.65, isFinal: true)
        }
        return Segment(
            segmentId: 0, contextId: "c", isFinal: true, intent: Intent(value: intent, isFinal: true),
            entities: entities, transcripts: words)
    }

    private func entity(_ type: String, _ value: String, _ start: Int, _ end: Int) -> Entity {
        Entity(value: value, type: type, startIndex: start, endIndex: end, isFinal: true)
    }

    func testMarksEntitiesAsSALDoes() {
        let plain = segment("sort by forks", intent: "sort", [entity("field", "forks", 2, 3)])
        XCTAssertEqual(ReadableText.line(plain), "sort: sort by [forks](field)")
        let two = segment("BOOK TWENTY FIVE SEATS", intent: "book", [entity("count", "25", 1, 3)])
        XCTAssertEqual(ReadableText.line(two), "book: BOOK [TWENTY FIVE|25](count) SEATS")
    }

    func testWritesWordsAloneWhereNothingIsUnderstood() {
        XCTAssertEqual(ReadableText.line(segment("what is it", intent: "", [])), "what is it")
        XCTAssertEqual(ReadableText.line(segment("", intent: "stop", [])), "stop: ")
    }

    func testCountsByTheIndexOfTheWords() {
        let late = segment("sentence one", intent: "", [entity("n", "one", 3, 4)], first: 2)
        XCTAssertEqual(ReadableText.line(late), "sentence [one](n)")
    }

    func testJSONKeepsWordsAndRoundsTimes() {
        let value = JSON.words(segment("Sort", intent: "", []).transcripts)
        XCTAssertEqual(value.text, #"[{"index":0,"value":"Sort","startMs":310,"endMs":650}]"#)
        XCTAssertEqual(milliseconds(.infinity), 0)
        XCTAssertEqual(milliseconds(Duration.milliseconds(2210)), 2210)
    }
}
