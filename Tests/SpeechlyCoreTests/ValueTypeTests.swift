import Foundation
import SpeechlyCore
import XCTest

final class ValueTypeTests: XCTestCase {
    func testDefaultsAndIdentifiers() {
        let segment = Segment(segmentId: 3, contextId: "ctx")
        XCTAssertEqual(segment.id, "ctx-3")
        XCTAssertEqual(segment.intent, Intent.Empty)
        XCTAssertFalse(segment.isFinal)
        XCTAssertEqual(segment.entities, [])
        XCTAssertEqual(segment.transcripts, [])
        XCTAssertEqual(Intent(value: "book", isFinal: true).id, "book")
        XCTAssertEqual(Transcript(index: 4, value: "", startOffset: 0, endOffset: 0, isFinal: false).id, 4)
        let entity = Entity(value: "v", type: "t", startIndex: 1, endIndex: 3, isFinal: true)
        XCTAssertEqual(entity.id, Entity.ID(start: 1, end: 3, type: "t"))
        XCTAssertEqual(AudioContext(id: "x").segments, [])
    }

    func testListsAreSortedHoweverTheyAreSet() {
        let words = [2, 10, 1].map { Transcript(index: $0, value: "", startOffset: 0, endOffset: 0, isFinal: true) }
        let entities = [2, 10, 1].map { Entity(value: "", type: "", startIndex: $0, endIndex: $0 + 1, isFinal: true) }
        var segment = Segment(
            segmentId: 0, contextId: "c", isFinal: true, intent: .Empty, entities: entities, transcripts: words)
        XCTAssertEqual(segment.transcripts.map(\.index), [1, 2, 10])
        XCTAssertEqual(segment.entities.map(\.startIndex), [1, 2, 10])
        segment.transcripts = words
        segment.entities = entities
        XCTAssertEqual(segment.transcripts.map(\.index), [1, 2, 10])
        XCTAssertEqual(segment.entities.map(\.startIndex), [1, 2, 10])
        segment.transcripts.append(Transcript(index: 3, value: "", startOffset: 0, endOffset: 0, isFinal: true))
        XCTAssertEqual(segment.transcripts.map(\.index), [1, 2, 3, 10])

        var context = AudioContext(id: "c", segments: [10, 2].map { Segment(segmentId: $0, contextId: "c") })
        XCTAssertEqual(context.segments.map(\.segmentId), [2, 10])
        context.segments = [12, 3].map { Segment(segmentId: $0, contextId: "c") }
        XCTAssertEqual(context.segments.map(\.segmentId), [3, 12])
    }

    func testTiesFollowTheFieldsInOrder() {
        func word(_ value: String, _ start: Double, _ end: Double, _ final: Bool) -> Transcript {
            Transcript(index: 0, value: value, startOffset: start, endOffset: end, isFinal: final)
        }
        assertAscending([
            word("a", 0, 0, false), word("a", 0, 0, true), word("a", 0, 1, false), word("a", 1, 0, false),
            word("b", 0, 0, false),
        ])
        func entity(_ start: Int, _ end: Int, _ type: String, _ value: String, _ final: Bool) -> Entity {
            Entity(value: value, type: type, startIndex: start, endIndex: end, isFinal: final)
        }
        assertAscending([
            entity(0, 1, "a", "z", true), entity(0, 2, "a", "a", false), entity(0, 2, "a", "a", true),
            entity(0, 2, "a", "b", false), entity(0, 2, "b", "a", false), entity(1, 1, "a", "a", false),
        ])
        assertAscending([
            Intent(value: "a", isFinal: false), Intent(value: "a", isFinal: true), Intent(value: "b", isFinal: false),
        ])
        assertAscending([
            Segment(segmentId: 2, contextId: "a"), Segment(segmentId: 10, contextId: "a"),
            Segment(segmentId: 1, contextId: "b"),
        ])
    }

    private func assertAscending<Value: Comparable>(_ values: [Value], line: UInt = #line) {
        XCTAssertEqual(values.reversed().sorted(), values, line: line)
    }

    func testOrderIsTotalAndAgreesWithEquality() {
        var random = SplitMix(seed: 7)
        assertTotal((0..<60).map { _ in Transcript.random(using: &random) })
        assertTotal((0..<60).map { _ in Entity.random(using: &random) })
        assertTotal((0..<60).map { _ in Entity.random(using: &random).id })
        assertTotal((0..<20).map { _ in Intent.random(using: &random) })
        assertTotal((0..<60).map { _ in Segment.random(using: &random) })
        assertTotal((0..<60).map { _ in AudioContext.random(using: &random) })
    }

    private func assertTotal<Value: Comparable & Hashable>(_ values: [Value], line: UInt = #line) {
        for a in values {
            for b in values {
                XCTAssertEqual([a < b, a == b, b < a].filter { $0 }.count, 1, "\(a) \(b)", line: line)
                if a == b { XCTAssertEqual(a.hashValue, b.hashValue, line: line) }
                for c in values where a < b && b < c { XCTAssertLessThan(a, c, line: line) }
            }
        }
    }

    func testCodingKeepsEverything() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<50 {
            let context = AudioContext.random(using: &random)
            let data = try JSONEncoder().encode(context)
            XCTAssertEqual(try JSONDecoder().decode(AudioContext.self, from: data), context)
        }
        let id = Entity.ID(start: 1, end: 2, type: "t")
        XCTAssertEqual(try JSONDecoder().decode(Entity.ID.self, from: JSONEncoder().encode(id)), id)
        let error = SpeechlyError.apiError("x")
        XCTAssertEqual(try JSONDecoder().decode(SpeechlyError.self, from: JSONEncoder().encode(error)), error)
    }

    func testDecodingSorts() throws {
        let json = """
            {"contextId":"c","segmentId":1,"isFinal":true,"intent":{"value":"","isFinal":true},"entities":[],
            "transcripts":[{"index":5,"value":"b","startOffset":0,"endOffset":0,"isFinal":true},
            {"index":2,"value":"a","startOffset":0,"endOffset":0,"isFinal":true}]}
            """
        let segment = try JSONDecoder().decode(Segment.self, from: Data(json.utf8))
        XCTAssertEqual(segment.transcripts.map(\.index), [2, 5])
    }

    func testErrorsKeepTheirText() {
        let errors: [(SpeechlyError, String)] = [
            (.networkError("a"), "network error: a"), (.audioError("b"), "audio error: b"),
            (.apiError("c"), "API error: c"), (.parseError("d"), "parse error: d"),
        ]
        for (error, text) in errors {
            XCTAssertEqual("\(error)", text)
            XCTAssertEqual(error.localizedDescription, text)
            XCTAssertTrue(text.hasSuffix(": " + error.message))
        }
    }
}
