import Speechly
import XCTest

@testable import SpeechlyCLI

final class TranscriptFormatTests: XCTestCase {
    private func segment(_ text: String, isFinal: Bool = false) -> ClientEvent {
        let words = text.split(separator: " ").enumerated().map {
            Transcript(index: $0.offset, value: String($0.element), startOffset: 0, endOffset: 0, isFinal: isFinal)
        }
        return .segmentUpdated(
            Segment(
                segmentId: 0, contextId: "c", isFinal: isFinal, intent: Intent(value: "", isFinal: isFinal),
                entities: [], transcripts: words))
    }

    private func play(_ format: any TranscriptFormat, _ events: [ClientEvent]) -> [String] {
        var format = format
        return events.flatMap { format.lines($0, at: .milliseconds(7)) }
    }

    func testOverwritesOnATerminalWhatStillChanges() {
        let format = ReadableTranscript(file: nil, showsPartial: true, columns: { 12 })
        let seen = play(
            format, [segment("one"), segment("one"), segment("one two three"), segment("one two", isFinal: true)])
        XCTAssertEqual(
            seen, ["\r\u{1B}[K… one", "\r\u{1B}[K…wo three", "\r\u{1B}[K", "one two\n"])
    }

    func testWritesLinesElsewhere() {
        let format = ReadableTranscript(file: "a.wav", showsPartial: true, columns: nil)
        let seen = play(
            format, [.contextStarted(contextId: "c"), segment("one"), segment("one"), segment("", isFinal: true)])
        XCTAssertEqual(seen, ["a.wav\n", "  … one\n"])
    }

    func testJSONReportsFailuresWithTheContextIfThereIsOne() {
        let format = JSONTranscript(file: "a.wav", showsPartial: false)
        let early = Failure(code: .connectFailed, side: .network, what: "cannot connect")
        var late = early
        late.contextId = "c"
        XCTAssertEqual(
            play(format, [.failure(early), .dropped(3), segment("x")]),
            [
                #"{"event":"error","file":"a.wav","code":"connectFailed","message":"cannot connect","atMs":7}"# + "\n"
            ])
        XCTAssertEqual(
            play(format, [.failure(late)]),
            [
                #"{"event":"error","file":"a.wav","contextId":"c","code":"connectFailed","message":"cannot connect","#
                    + #""atMs":7}"# + "\n"
            ])
    }

    func testJSONDoesNotRepeatWhatLooksTheSame() {
        let format = JSONTranscript(file: "a.wav", showsPartial: true)
        XCTAssertEqual(play(format, [segment("x"), segment("x"), segment("x", isFinal: true)]).count, 2)
    }
}
