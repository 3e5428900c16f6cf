import SpeechlyCore
import XCTest

final class RecognitionStateTests: XCTestCase {
    private func word(_ index: Int, _ value: String, final: Bool) -> Transcript {
        Transcript(index: index, value: value, startOffset: 0, endOffset: 0, isFinal: final)
    }

    private func entity(_ type: String, _ start: Int, _ end: Int, final: Bool) -> Entity {
        Entity(value: type.uppercased(), type: type, startIndex: start, endIndex: end, isFinal: final)
    }

    private func message(_ content: RecognitionMessage.Content, segment: Int = 0) -> RecognitionMessage {
        RecognitionMessage(contextId: "c", segmentId: segment, content: content)
    }

    private func started() -> RecognitionState {
        var state = RecognitionState()
        XCTAssertEqual(state.apply(message(.started)), .contextStarted(contextId: "c"))
        return state
    }

    private func update(_ change: RecognitionChange) throws -> SegmentUpdate {
        guard case .segmentUpdated(let update) = change else {
            XCTFail("\(change)")
            throw CancellationError()
        }
        return update
    }

    func testUpdateNamesOnlyTheWordsThatWereTaken() throws {
        var state = started()
        _ = state.apply(message(.transcript(word(0, "SORT", final: true))))
        let change = state.apply(
            message(.tentativeTranscript([word(0, "SHORT", final: false), word(1, "BY", final: false)])))
        let update = try update(change)
        XCTAssertEqual(update.transcripts, [word(1, "BY", final: false)])
        XCTAssertEqual(update.segment.transcripts.map(\.value), ["SORT", "BY"])
    }

    func testFinalityFollowsTheMessageNotTheFlagOfTheItem() throws {
        var state = started()
        let tentative = try update(state.apply(message(.tentativeTranscript([word(0, "A", final: true)]))))
        XCTAssertEqual(tentative.segment.transcripts, [word(0, "A", final: false)])
        let final = try update(state.apply(message(.transcript(word(0, "A", final: false)))))
        XCTAssertEqual(final.segment.transcripts, [word(0, "A", final: true)])
    }

    func testTentativeEntityOverAFinalOneIsNotTaken() throws {
        var state = started()
        _ = state.apply(message(.entity(entity("city", 2, 4, final: true))))
        let list = [entity("place", 3, 5, final: false), entity("date", 4, 5, final: false)]
        let update = try update(state.apply(message(.tentativeEntities(list))))
        XCTAssertEqual(update.entities.map(\.type), ["date"])
        XCTAssertEqual(update.segment.entities.map(\.type), ["city", "date"])
    }

    func testAnEntityWithoutWordsCoversItsFirstWord() throws {
        var state = started()
        _ = state.apply(message(.tentativeEntities([entity("a", 5, 6, final: false)])))
        let update = try update(state.apply(message(.entity(entity("b", 5, 5, final: true)))))
        XCTAssertEqual(update.segment.entities.map(\.type), ["b"])
    }

    func testRepeatedIndicesInOneListTheLastCounts() throws {
        var state = started()
        let list = [word(0, "A", final: false), word(0, "B", final: false)]
        let update = try update(state.apply(message(.tentativeTranscript(list))))
        XCTAssertEqual(update.segment.transcripts.map(\.value), ["B"])
    }

    func testErrorsTellUnknownFromFinished() {
        var state = RecognitionState()
        let late = message(.transcript(word(0, "A", final: true)), segment: 3)
        XCTAssertEqual(
            state.apply(late),
            .rejected(.init(reason: .unknownContext, messageName: "transcript", contextId: "c", segmentId: 3)))
        _ = state.apply(message(.started))
        _ = state.apply(message(.finished))
        XCTAssertEqual(
            state.apply(late),
            .rejected(.init(reason: .contextFinished, messageName: "transcript", contextId: "c", segmentId: 3)))
        XCTAssertEqual(
            state.apply(message(.started)),
            .rejected(.init(reason: .contextFinished, messageName: "started", contextId: "c", segmentId: 0)))
    }

    func testErrorTextsNameMessageContextAndSegment() {
        let reasons: [(RecognitionError.Reason, String)] = [
            (.unknownContext, "intent for context \"x\", which was never started; ignored"),
            (.contextFinished, "intent for context \"x\", which has finished; ignored"),
            (.contextAlreadyStarted, "intent for context \"x\", which has started already; ignored"),
            (.segmentAlreadyFinal, "intent for context \"x\", segment 7, which is final already; ignored"),
        ]
        for (reason, text) in reasons {
            let error = RecognitionError(reason: reason, messageName: "intent", contextId: "x", segmentId: 7)
            XCTAssertEqual("\(error)", text)
        }
    }

    func testFinishedContextIsForgotten() {
        var state = started()
        _ = state.apply(message(.transcript(word(0, "A", final: true))))
        _ = state.apply(message(.segmentEnd))
        guard case .contextFinished(let context) = state.apply(message(.finished)) else {
            return XCTFail("not finished")
        }
        XCTAssertEqual(context.segments.map(\.segmentId), [0])
        XCTAssertNil(state.context(id: "c"))
        XCTAssertEqual(state.openContextIds, [])
    }

    func testAbandonedContextKeepsItsFinalSegments() {
        var state = started()
        _ = state.apply(message(.segmentEnd))
        _ = state.apply(message(.tentativeIntent(Intent(value: "x", isFinal: false)), segment: 1))
        XCTAssertEqual(state.abandonContext(id: "c")?.segments.map(\.segmentId), [0])
        XCTAssertNil(state.abandonContext(id: "c"))
    }
}
