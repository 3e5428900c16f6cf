import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyCLI

final class ListenTranscriptTests: XCTestCase {
    private func segment(_ text: String, isFinal: Bool) -> ClientEvent {
        let words = text.split(separator: " ").enumerated().map {
            Transcript(index: $0.offset, value: String($0.element), startOffset: 0, endOffset: 0, isFinal: isFinal)
        }
        return .segmentUpdated(
            Segment(
                segmentId: 0, contextId: "c", isFinal: isFinal, intent: Intent(value: "", isFinal: isFinal),
                entities: [], transcripts: words))
    }

    func testTheMeterHasTenStepsOfSixDecibels() {
        XCTAssertEqual(ListenTranscript.meter(AudioLevel(rms: -120, peak: -120)), "·········· ")
        XCTAssertEqual(ListenTranscript.meter(AudioLevel(rms: -30, peak: -20)), "█████····· ")
        XCTAssertEqual(ListenTranscript.meter(AudioLevel(rms: 0, peak: 0)), "██████████!")
    }

    func testOnATerminalTheLastLineIsMeterAndPartialSegment() {
        var format = ListenTranscript(showsPartial: true, columns: { 80 })
        XCTAssertEqual(format.lines(AudioLevel(rms: -30, peak: -20)), ["\r\u{1B}[K█████····· "])
        XCTAssertEqual(format.lines(AudioLevel(rms: -30, peak: -20)), [])
        XCTAssertEqual(
            format.lines(segment("one two", isFinal: false), at: .zero), ["\r\u{1B}[K█████·····  … one two"])
        XCTAssertEqual(
            format.lines(segment("one two", isFinal: true), at: .zero),
            ["\r\u{1B}[K", "one two\n", "\r\u{1B}[K█████····· "])
        XCTAssertEqual(format.interruption(), ["\r\u{1B}[K"])
        XCTAssertEqual(format.interruption(), [])
    }

    func testTheLineFollowsTheWidthOfTheTerminal() {
        let width = Locked(80)
        var format = ListenTranscript(showsPartial: true, columns: { width.withLock { $0 } })
        let text = segment("one two three four", isFinal: false)
        _ = format.lines(AudioLevel(rms: -30, peak: -20))
        _ = format.lines(text, at: .zero)
        // Room for the cursor and for what a terminal writes for Ctrl-C; the meter stays as long as words fit beside it.
        for (columns, shown) in [
            (28, "█████·····  …o three four"), (23, "█████·····  …ee four"), (22, "…one two three four"), (4, "…"),
            (3, ""), (80, "█████·····  … one two three four"),
        ] {
            width.withLock { $0 = columns }
            XCTAssertEqual(format.lines(AudioLevel(rms: -30, peak: -20)), ["\r\u{1B}[K\(shown)"], "\(columns)")
        }
    }

    func testElsewhereThereIsNoMeter() {
        var format = ListenTranscript(showsPartial: true, columns: nil)
        XCTAssertEqual(format.lines(AudioLevel(rms: -30, peak: -20)), [])
        XCTAssertEqual(format.interruption(), [])
        XCTAssertEqual(format.lines(segment("one", isFinal: false), at: .zero), ["… one\n"])
        XCTAssertEqual(format.lines(segment("one", isFinal: true), at: .zero), ["one\n"])
    }
}
