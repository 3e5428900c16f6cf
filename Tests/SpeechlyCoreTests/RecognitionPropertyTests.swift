import SpeechlyCore
import TestSupport
import XCTest

/// Random messages, sensible or not, never break the rules.
final class RecognitionPropertyTests: XCTestCase {
    func testRandomSequencesKeepTheInvariants() {
        for seed in 0..<300 {
            var random = SplitMix(seed: UInt64(seed))
            var state = RecognitionState()
            var finals: [String: Set<Transcript>] = [:]
            var finalEntities: [String: Set<Entity>] = [:]
            for step in 0..<120 {
                let message = RecognitionMessage.random(using: &random)
                let before = state
                let change = state.apply(message)
                let place = "seed \(seed), step \(step): \(message)"
                switch change {
                case .rejected:
                    XCTAssertEqual(state, before, place)
                case .contextStarted(let id):
                    XCTAssertEqual(state.context(id: id), AudioContext(id: id), place)
                case .contextFinished(let context):
                    XCTAssertTrue(context.segments.allSatisfy(\.isFinal), place)
                    XCTAssertNil(state.context(id: context.id), place)
                case .segmentUpdated(let update):
                    let segment = update.segment
                    XCTAssertEqual(
                        state.context(id: segment.contextId)?.segments.first { $0.id == segment.id }, segment)
                    check(segment, place)
                    // A final word or entity leaves only when a final one takes its place.
                    let words = Set(segment.transcripts.filter(\.isFinal))
                    for word in finals[segment.id, default: []].subtracting(words) {
                        XCTAssertTrue(words.contains { $0.index == word.index }, place)
                    }
                    finals[segment.id] = words
                    let entities = Set(segment.entities.filter(\.isFinal))
                    for entity in finalEntities[segment.id, default: []].subtracting(entities) {
                        XCTAssertTrue(entities.contains { $0.id == entity.id }, place)
                    }
                    finalEntities[segment.id] = entities
                    if case .tentativeTranscript(let list) = message.content {
                        let tentative = Set(segment.transcripts.filter { !$0.isFinal }.map(\.index))
                        XCTAssertEqual(tentative, Set(list.map(\.index)).subtracting(words.map(\.index)), place)
                    }
                }
            }
        }
    }

    private func check(_ segment: Segment, _ place: String) {
        XCTAssertEqual(segment.transcripts, segment.transcripts.sorted(), place)
        XCTAssertEqual(Set(segment.transcripts.map(\.index)).count, segment.transcripts.count, place)
        XCTAssertEqual(segment.entities, segment.entities.sorted(), place)
        XCTAssertEqual(Set(segment.entities.map(\.id)).count, segment.entities.count, place)
        if segment.isFinal {
            XCTAssertTrue(segment.intent.isFinal, place)
            XCTAssertTrue(segment.transcripts.allSatisfy(\.isFinal), place)
            XCTAssertTrue(segment.entities.allSatisfy(\.isFinal), place)
        }
    }

    /// Messages of one context, in order, give the same context whatever other contexts do in between.
    func testContextsDoNotTouchEachOther() {
        for seed in 0..<100 {
            var random = SplitMix(seed: UInt64(seed) + 1_000)
            let messages = (0..<100).map { _ in RecognitionMessage.random(using: &random) }
            var together = RecognitionState()
            let changes = messages.map { together.apply($0) }
            for id in ["a", "b"] {
                var alone = RecognitionState()
                for (message, change) in zip(messages, changes) where message.contextId == id {
                    XCTAssertEqual(alone.apply(message), change, "seed \(seed)")
                }
                XCTAssertEqual(alone.context(id: id), together.context(id: id), "seed \(seed)")
            }
        }
    }
}

extension RecognitionMessage {
    /// A message about one of two contexts and three segments.
    static func random(using random: inout SplitMix) -> RecognitionMessage {
        let content: Content
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: content = .started
        case 2: content = .finished
        case 3: content = .segmentEnd
        case 4, 5: content = .intent(.random(using: &random))
        case 6, 7: content = .tentativeIntent(.random(using: &random))
        case 8...10: content = .transcript(.random(using: &random))
        case 11, 12: content = .entity(.random(using: &random))
        case 13...16:
            content = .tentativeTranscript(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in .random(using: &random) })
        default:
            content = .tentativeEntities(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(using: &random) })
        }
        return RecognitionMessage(
            contextId: Bool.random(using: &random) ? "a" : "b",
            segmentId: Int.random(in: 0..<3, using: &random), content: content)
    }
}
