import Speechly
import XCTest

/// What one context's messages amount to, with the order rules of the protocol checked on the way.
struct ContextTranscript {
    struct Segment {
        var words: [SLUTranscript] = []
        var entities: [SLUEntity] = []
        var intent: String?
        var isFinal = false
        var tentativeCount = 0

        var text: String { words.map(\.word).joined(separator: " ") }
    }

    var segments: [Int32: Segment] = [:]
    var isFinished = false

    var text: String { segments.sorted { $0.key < $1.key }.map(\.value.text).joined(separator: " ") }

    /// Sorts the messages of a stream by context, in the order of their starts, and checks every rule.
    static func read(
        _ responses: [SLUResponse], file: StaticString = #filePath, line: UInt = #line
    ) -> [ContextTranscript] {
        var order: [String] = []
        var contexts: [String: ContextTranscript] = [:]
        for response in responses {
            let id = response.audioContext
            XCTAssertNotNil(UUID(uuidString: id), "context id '\(id)'", file: file, line: line)
            if case .started? = response.streamingResponse {
                XCTAssertNil(contexts[id], "started twice", file: file, line: line)
                XCTAssertEqual(response.segmentId, 0, file: file, line: line)
                order.append(id)
                contexts[id] = ContextTranscript()
                continue
            }
            guard contexts[id] != nil else {
                XCTFail("a message before started: \(response)", file: file, line: line)
                continue
            }
            contexts[id]?.take(response, file: file, line: line)
        }
        return order.compactMap { contexts[$0] }
    }

    private mutating func take(_ response: SLUResponse, file: StaticString, line: UInt) {
        XCTAssertFalse(isFinished, "a message after finished: \(response)", file: file, line: line)
        if case .finished(let finished)? = response.streamingResponse {
            XCTAssertEqual(response.segmentId, 0, file: file, line: line)
            XCTAssertNil(finished.error, file: file, line: line)
            isFinished = true
            for (id, segment) in segments where !segment.words.isEmpty {
                XCTAssertTrue(segment.isFinal, "segment \(id) has no end", file: file, line: line)
            }
            return
        }
        var segment = segments[response.segmentId, default: Segment()]
        XCTAssertFalse(segment.isFinal, "a message after segment_end: \(response)", file: file, line: line)
        let isOpen = segment.words.isEmpty && segment.intent == nil
        switch response.streamingResponse {
        case .tentativeTranscript(let transcript)?:
            XCTAssertTrue(isOpen, "tentative after final: \(response)", file: file, line: line)
            XCTAssertEqual(
                transcript.tentativeWords.map(\.word).joined(separator: " "), transcript.tentativeTranscript,
                file: file, line: line)
            XCTAssertEqual(
                transcript.tentativeWords.map(\.index), Array(0..<Int32(transcript.tentativeWords.count)),
                file: file, line: line)
            segment.tentativeCount += 1
        case .tentativeEntities?, .tentativeIntent?:
            XCTAssertTrue(isOpen, "tentative after final: \(response)", file: file, line: line)
            segment.tentativeCount += 1
        case .transcript(let word)?:
            XCTAssertEqual(Int(word.index), segment.words.count, file: file, line: line)
            XCTAssertGreaterThan(word.endTime, word.startTime, file: file, line: line)
            XCTAssertGreaterThanOrEqual(word.startTime, segment.words.last?.endTime ?? 0, file: file, line: line)
            segment.words.append(word)
        case .entity(let entity)?:
            XCTAssertLessThan(entity.startPosition, entity.endPosition, file: file, line: line)
            XCTAssertLessThanOrEqual(Int(entity.endPosition), segment.words.count, file: file, line: line)
            segment.entities.append(entity)
        case .intent(let intent)?:
            XCTAssertNil(segment.intent, "two intents", file: file, line: line)
            segment.intent = intent.intent
        case .segmentEnd?:
            XCTAssertNotNil(segment.intent, "a segment without an intent", file: file, line: line)
            XCTAssertFalse(segment.words.isEmpty, "a segment without words", file: file, line: line)
            if response.segmentId > 0 {
                XCTAssertEqual(segments[response.segmentId - 1]?.isFinal, true, file: file, line: line)
            }
            segment.isFinal = true
        default: XCTFail("unexpected: \(response)", file: file, line: line)
        }
        segments[response.segmentId] = segment
    }
}
