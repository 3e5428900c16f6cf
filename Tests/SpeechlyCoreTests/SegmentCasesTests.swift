import Foundation
import SpeechlyCore
import TestSupport
import XCTest

/// Every case of `Tests/Cases/segments.json`: responses in, segments out.
final class SegmentCasesTests: XCTestCase {
    func testEveryCase() throws {
        let cases = try TestCases.cases("segments.json")
        for test in cases {
            let why = test["why"] as? String ?? "?"
            let responses = try XCTUnwrap(test["responses"] as? [[String: Any]], why)
            let expected = try XCTUnwrap(test["segments"] as? [[String: Any]], why)
            let run = try Run(responses)
            XCTAssertEqual(run.errors, test["parseErrors"] as? Int, why)
            let segments = run.segments
            XCTAssertEqual(segments.count, expected.count, why)
            for (segment, wanted) in zip(segments, expected) {
                try check(segment, wanted, why)
            }
        }
        XCTAssertGreaterThanOrEqual(cases.count, 20)
    }

    private func check(_ segment: Segment, _ wanted: [String: Any], _ why: String) throws {
        XCTAssertEqual(segment.contextId, wanted["context"] as? String ?? "c", why)
        XCTAssertEqual(segment.segmentId, wanted["id"] as? Int, why)
        XCTAssertEqual(segment.isFinal, wanted["isFinal"] as? Bool, why)
        let words = try XCTUnwrap(wanted["words"] as? [[Any]], why).map(Word.init)
        XCTAssertEqual(segment.transcripts.map(Word.init), words, why)
        let entities = try XCTUnwrap(wanted["entities"] as? [[Any]], why).map(Mention.init)
        XCTAssertEqual(segment.entities.map(Mention.init), entities, why)
        let intent = try XCTUnwrap(wanted["intent"] as? [Any], why)
        XCTAssertEqual(segment.intent.value, intent[0] as? String, why)
        XCTAssertEqual(segment.intent.isFinal, intent[1] as? Bool, why)
    }
}

/// Applies responses and keeps what a client would hold.
private struct Run {
    var errors = 0
    private var finished: [AudioContext] = []
    private var state = RecognitionState()

    init(_ responses: [[String: Any]]) throws {
        for response in responses {
            guard let message = try ResponseJSON.message(response) else { continue }
            let before = state
            switch state.apply(message) {
            case .rejected:
                errors += 1
                XCTAssertEqual(state, before, "a rejected message changed something")
            case .contextFinished(let context): finished.append(context)
            case .contextStarted, .segmentUpdated: break
            }
        }
    }

    var segments: [Segment] {
        let open = state.openContextIds.compactMap { state.context(id: $0) }
        return (finished + open).flatMap(\.segments).sorted()
    }
}

private struct Word: Equatable {
    let index: Int?
    let value: String?
    let isFinal: Bool?

    init(_ json: [Any]) {
        (index, value, isFinal) = (json[0] as? Int, json[1] as? String, json[2] as? Bool)
    }

    init(_ word: Transcript) {
        (index, value, isFinal) = (word.index, word.value, word.isFinal)
    }
}

private struct Mention: Equatable {
    let type: String?
    let value: String?
    let start: Int?
    let end: Int?
    let isFinal: Bool?

    init(_ json: [Any]) {
        (type, value) = (json[0] as? String, json[1] as? String)
        (start, end, isFinal) = (json[2] as? Int, json[3] as? Int, json[4] as? Bool)
    }

    init(_ entity: Entity) {
        (type, value) = (entity.type, entity.value)
        (start, end, isFinal) = (entity.startIndex, entity.endIndex, entity.isFinal)
    }
}
