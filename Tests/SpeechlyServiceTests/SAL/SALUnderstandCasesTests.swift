import Foundation
import SpeechlyService
import TestSupport
import XCTest

/// The given cases of text understood with the tutorial's configuration.
final class SALUnderstandCasesTests: XCTestCase {
    private func tutorial() throws -> SALConfiguration {
        let text = String(decoding: try TestCases.data("speech/repos.sal"), as: UTF8.self)
        return try SALCompiler.compile(text, file: "repos.sal")
    }

    func testGivenCases() throws {
        let configuration = try tutorial()
        let cases = try TestCases.cases("understand.json")
        XCTAssertEqual(cases.count, 11)
        for item in cases {
            let text = try XCTUnwrap(item["text"] as? String)
            let expected = try XCTUnwrap(item["segments"] as? [[Any]])
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            let segments = configuration.understand(words)
            XCTAssertEqual(segments.count, expected.count, text)
            var position = 0
            for (segment, expected) in zip(segments, expected) {
                XCTAssertEqual(segment.intent, expected[0] as? String ?? "", text)
                XCTAssertEqual(segment.words.lowerBound, position, text)
                XCTAssertEqual(segment.words.count, expected[1] as? Int, text)
                position = segment.words.upperBound
                let entities = try XCTUnwrap(expected[2] as? [[Any]])
                XCTAssertEqual(segment.entities.count, entities.count, text)
                for (entity, expected) in zip(segment.entities, entities) {
                    XCTAssertEqual(entity.type, expected[0] as? String, text)
                    XCTAssertEqual(entity.value.lowercased(), expected[1] as? String, text)
                    XCTAssertEqual(entity.start, expected[2] as? Int, text)
                    XCTAssertEqual(entity.end, expected[3] as? Int, text)
                }
            }
            XCTAssertEqual(position, words.count, text)
        }
    }

    func testSpeechTexts() throws {
        let configuration = try tutorial()
        for item in try TestCases.cases("speech/speech.json") {
            let words = try XCTUnwrap(item["text"] as? String).split(separator: " ").map(String.init)
            let segments = configuration.understand(words)
            XCTAssertEqual(segments.map(\.intent), [item["intent"] as? String])
            let expected = try XCTUnwrap(item["entities"] as? [[Any]])
            XCTAssertEqual(segments[0].entities.map(\.value), expected.map { $0[1] as? String })
        }
    }

    func testSurface() throws {
        let configuration = try tutorial()
        XCTAssertEqual(configuration.intents, ["filter", "sort", "reset"])
        XCTAssertEqual(configuration.entityTypes, ["language", "sort_field"])
        XCTAssertEqual(configuration.diagnostics, [])
        XCTAssertTrue(configuration.vocabulary.isSuperset(of: ["typescript", "show", "default"]))
        XCTAssertEqual(configuration.vocabulary.count, 26)
        XCTAssertEqual(configuration.sample(count: 20, seed: 7), configuration.sample(count: 20, seed: 7))
    }

    func testPrefixes() throws {
        let configuration = try tutorial()
        func prefix(_ text: String) -> [SALSegment] {
            configuration.understandPrefix(text.split(separator: " ").map(String.init))
        }
        XCTAssertEqual(prefix("sort"), [SALSegment(intent: "sort", words: 0..<1)])
        XCTAssertEqual(prefix("sort the results"), [SALSegment(intent: "sort", words: 0..<3)])
        XCTAssertEqual(
            prefix("sort by stars show only"),
            [
                SALSegment(
                    intent: "sort", words: 0..<3,
                    entities: [SALEntity(type: "sort_field", value: "stars", start: 2, end: 3)]),
                SALSegment(intent: "filter", words: 3..<5),
            ])
        XCTAssertEqual(prefix("what is"), [SALSegment(intent: "", words: 0..<2)])
        XCTAssertEqual(prefix(""), [])
    }
}
