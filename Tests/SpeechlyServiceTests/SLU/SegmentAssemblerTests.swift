import Speechly
import XCTest

@testable import SpeechlyService

final class SegmentAssemblerTests: XCTestCase {
    private static func words(_ text: String) -> [RecognizedWord] {
        text.split(separator: " ").enumerated().map {
            RecognizedWord(text: String($0.element), startTime: $0.offset * 100, endTime: $0.offset * 100 + 90)
        }
    }

    private func assembler(meaning: Bool = true, open: Bool = false) throws -> SegmentAssembler {
        SegmentAssembler(
            interpreter: Interpreter(configuration: open ? nil : try SpeechCase.configuration().sal),
            sendsTentativeMeaning: meaning)
    }

    private func summary(_ messages: [SegmentMessage]) -> [String] {
        messages.map { message in
            let text =
                switch message.content {
                case .tentativeTranscript(let transcript): "?\(transcript.tentativeTranscript)"
                case .tentativeEntities(let list): "?\(list.tentativeEntities.map(\.value))"
                case .tentativeIntent(let intent): "?*\(intent.intent)"
                case .transcript(let word): "\(word.index):\(word.word)"
                case .entity(let entity): "[\(entity.value)]"
                case .intent(let intent): "*\(intent.intent)"
                case .segmentEnd: "end"
                default: "unexpected"
                }
            return "\(message.segmentId) \(text)"
        }
    }

    func testTentativeMessagesTellOnlyWhatChanged() throws {
        var assembler = try assembler()
        XCTAssertEqual(summary(assembler.update(Self.words("sort"))), ["0 ?sort", "0 ?*sort"])
        XCTAssertEqual(summary(assembler.update(Self.words("sort"))), [])
        XCTAssertEqual(summary(assembler.update(Self.words("sort by"))), ["0 ?sort by"])
        XCTAssertEqual(
            summary(assembler.update(Self.words("sort by name"))), ["0 ?sort by name", "0 ?[\"name\"]"])
        XCTAssertEqual(summary(assembler.update(Self.words("sort by"))), ["0 ?sort by", "0 ?[]"])
        XCTAssertEqual(summary(assembler.update([])), ["0 ?", "0 ?*"])
    }

    func testFinalMessagesAndTheNextSegment() throws {
        var assembler = try assembler()
        _ = assembler.update(Self.words("sort by"))
        XCTAssertEqual(
            summary(assembler.finalize(Self.words("sort by stars"))),
            ["0 0:sort", "0 1:by", "0 2:stars", "0 [stars]", "0 *sort", "0 end"])
        XCTAssertEqual(summary(assembler.update(Self.words("show"))), ["1 ?show", "1 ?*filter"])
        XCTAssertEqual(
            summary(assembler.finalize(Self.words("show go"))), ["1 0:show", "1 1:go", "1 [go]", "1 *filter", "1 end"])
    }

    func testDoubtfulWordsAreASegmentWithoutAMeaning() throws {
        func doubtful(_ text: String) -> [RecognizedWord] {
            Self.words(text).map { word in
                var word = word
                word.isDoubtful = true
                return word
            }
        }
        var assembler = try assembler()
        _ = assembler.update(Self.words("sort by stars"))
        XCTAssertEqual(
            summary(assembler.finalize(doubtful("sort by stars"))),
            ["0 0:sort", "0 1:by", "0 2:stars", "0 *", "0 end"])
        XCTAssertEqual(
            summary(assembler.finalize(doubtful("show me") + Self.words("show go") + doubtful("go"))),
            [
                "1 0:show", "1 1:me", "1 *", "1 end", "2 0:show", "2 1:go", "2 [go]", "2 *filter", "2 end", "3 0:go",
                "3 *", "3 end",
            ])
    }

    func testSeveralSegmentsAtOnceAndOneThatVanishes() throws {
        var assembler = try assembler()
        let both = assembler.update(Self.words("sort by stars show go"))
        XCTAssertEqual(
            summary(both),
            [
                "0 ?sort by stars", "0 ?[\"stars\"]", "0 ?*sort", "1 ?show go", "1 ?[\"go\"]", "1 ?*filter",
            ])
        XCTAssertEqual(
            summary(assembler.finalize(Self.words("reset"))),
            ["0 0:reset", "0 *reset", "0 end", "1 ?", "1 ?[]", "1 ?*"])
    }

    func testNoWordsAreNoSegment() throws {
        var assembler = try assembler()
        XCTAssertEqual(summary(assembler.finalize([])), [])
        _ = assembler.update(Self.words("show"))
        XCTAssertEqual(summary(assembler.finalize([])), ["0 ?", "0 ?*"])
        XCTAssertEqual(summary(assembler.finalize(Self.words("reset"))), ["0 0:reset", "0 *reset", "0 end"])
    }

    func testWithoutTentativeMeaning() throws {
        var assembler = try assembler(meaning: false)
        XCTAssertEqual(summary(assembler.update(Self.words("sort by name"))), ["0 ?sort by name"])
        XCTAssertEqual(
            summary(assembler.finalize(Self.words("sort by name"))),
            ["0 0:sort", "0 1:by", "0 2:name", "0 [name]", "0 *sort", "0 end"])
    }

    func testOpenVocabularyHasAnEmptyIntent() throws {
        var assembler = try assembler(open: true)
        XCTAssertEqual(summary(assembler.update(Self.words("hello"))), ["0 ?hello"])
        XCTAssertEqual(
            summary(assembler.finalize(Self.words("hello world"))), ["0 0:hello", "0 1:world", "0 *", "0 end"])
    }
}
