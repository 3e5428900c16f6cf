import Foundation
import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

final class ContextDecoderTests: XCTestCase {
    private static let chunk = [UInt8](repeating: 0, count: 960)

    private final class Clock: Sendable {
        private let instant = Locked(ContinuousClock.now)
        func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
        var now: @Sendable () -> ContinuousClock.Instant { { [instant] in instant.withLock { $0 } } }
    }

    private func decoder(
        _ recognizer: any SpeechRecognizer, clock: Clock, options: [(String, String)] = [], rate: Int = 16_000
    ) throws -> ContextDecoder {
        try ContextDecoder(
            recognizer: recognizer, interpreter: Interpreter(configuration: SpeechCase.configuration().sal),
            options: ContextSettings(options.map { (key: $0.0, values: [$0.1]) }), sampleRate: rate, now: clock.now)
    }

    private func count(_ messages: [SegmentMessage]) -> Int {
        messages.count { if case .tentativeTranscript = $0.content { true } else { false } }
    }

    func testTentativeMessagesAreAtMostTenASecond() throws {
        let words = (0..<100).map { "word\($0)" }
        let clock = Clock()
        let decoder = try decoder(ScriptedRecognizer(script: words), clock: clock)
        var tentative = 0
        // Ten seconds of audio in two seconds of time.
        for _ in 0..<333 {
            tentative += try count(decoder.hear(Self.chunk[...]))
            clock.advance(.milliseconds(6))
        }
        XCTAssertLessThanOrEqual(tentative, 21)
        XCTAssertGreaterThanOrEqual(tentative, 15)
    }

    func testARecognizerIsToldWhichWordsAreFavoured() throws {
        let recognizer = AttentiveRecognizer()
        _ = try decoder(
            recognizer, clock: Clock(), options: [("vocabulary", "Forks\nPULL request"), ("vocabulary_bias", "1.5")])
        _ = try decoder(recognizer, clock: Clock())
        XCTAssertEqual(recognizer.calls, ["favor forks, pull request 1.5", "begin", "favor  0.0", "begin"])
    }

    func testTheFirstWordComesEarly() async throws {
        for item in try SpeechCase.all() {
            let clock = Clock()
            let decoder = try decoder(PocketSphinxRecognizer(task: SpeechCase.task()), clock: clock)
            let bytes = try await item.samples().withUnsafeBytes { Array($0) }
            var firstAt: Int?
            for start in stride(from: 0, to: bytes.count, by: 3_200) {
                let messages = try decoder.hear(bytes[start..<min(start + 3_200, bytes.count)])
                clock.advance(.milliseconds(100))
                if firstAt == nil, !messages.isEmpty { firstAt = start + 3_200 }
            }
            XCTAssertLessThan(try XCTUnwrap(firstAt, item.file), bytes.count * 6 / 10, item.file)
            XCTAssertFalse(try decoder.finish().isEmpty)
        }
    }

    func testSilenceEndsASegmentAtTheSamePlaceWhateverTheChunks() async throws {
        let cases = try SpeechCase.all()
        let samples = try await cases[5].samples() + [Int16](repeating: 0, count: 16_000) + cases[4].samples()
        let bytes = samples.withUnsafeBytes { Array($0) }
        var results: Set<[SegmentMessage]> = []
        for size in [960, 3_200, 4_096, 65_536, bytes.count] {
            let decoder = try decoder(
                PocketSphinxRecognizer(task: SpeechCase.task()), clock: Clock(),
                options: [("silence_triggered_segmentation", "600")])
            var messages: [SegmentMessage] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                messages += try decoder.hear(bytes[start..<min(start + size, bytes.count)])
            }
            // The first segment was final before the end.
            XCTAssertTrue(messages.contains { $0.segmentId == 0 && $0.content == .segmentEnd(SLUSegmentEnd()) })
            messages += try decoder.finish()
            results.insert(
                messages.filter {
                    switch $0.content {
                    case .tentativeTranscript, .tentativeEntities, .tentativeIntent: false
                    default: true
                    }
                })
        }
        XCTAssertEqual(results.count, 1)
        let words = results.first?.compactMap { message in
            if case .transcript(let word) = message.content { word.word } else { nil }
        }
        XCTAssertEqual(words?.joined(separator: " "), cases[5].text + " " + cases[4].text)
    }

    func testAnOddRateIsResampledWhole() throws {
        let recognizer = ScriptedRecognizer(script: (0..<40).map { "word\($0)" })
        let decoder = try decoder(recognizer, clock: Clock(), rate: 11_025)
        var rest = [UInt8](repeating: 0, count: 11_025 * 2 * 2)[...]
        while !rest.isEmpty {
            _ = try decoder.hear(rest.prefix(1_234))
            rest = rest.dropFirst(1_234)
        }
        let words = try decoder.finish().count { if case .transcript = $0.content { true } else { false } }
        XCTAssertEqual(words, 20)
    }

    private static let delivery = """
        silence_triggered_segmentation: 300
        entities: [{name: when, type: date}]
        templates: |
          *deliver delivery $SPEECHLY.DATE(when)
        """

    private func delivery(
        _ words: [String], options: [(String, String)], hearing count: Int
    ) throws -> [SLUResponse.StreamingResponse] {
        let configuration = try ServiceConfiguration(
            sal: SALCompiler.compile(yaml: Array(Self.delivery.utf8), file: "config.yaml"))
        var interpreter = Interpreter(configuration: configuration.sal)
        interpreter.silenceTriggeredSegmentation = 300
        // Half past ten in the evening in Greenwich.
        interpreter.now = { Date(timeIntervalSince1970: 1_631_485_800) }
        let decoder = try ContextDecoder(
            recognizer: ScriptedRecognizer(script: words), interpreter: interpreter,
            options: ContextSettings(options.map { (key: $0.0, values: [$0.1]) }), sampleRate: 16_000,
            now: Clock().now)
        var messages: [SegmentMessage] = []
        for _ in 0..<count { messages += try decoder.hear(Self.chunk[...]) }
        return (messages + (try decoder.finish())).map(\.content)
    }

    func testDatesAreThoseOfTheSpeakersZone() throws {
        for (zone, value) in [
            ("Europe/Helsinki", "2021-09-14"), ("America/New_York", "2021-09-13"), ("UTC", "2021-09-13"),
        ] {
            let contents = try delivery(
                ["delivery", "tomorrow"], options: [("timezone", zone), ("silence_triggered_segmentation", "0")],
                hearing: 20)
            XCTAssertTrue(
                contents.contains(.entity(SLUEntity(entity: "when", value: value, startPosition: 1, endPosition: 2))),
                "\(zone): \(contents)")
        }
    }

    func testTheConfigurationSaysHowLongASilenceEndsASegment() throws {
        func segments(_ options: [(String, String)]) throws -> Int {
            try delivery(["delivery", "today"], options: options, hearing: 40).count {
                $0 == .segmentEnd(SLUSegmentEnd())
            }
        }
        XCTAssertGreaterThan(try segments([]), 1)
        XCTAssertEqual(try segments([("silence_triggered_segmentation", "0")]), 1)
    }

    func testSilenceMeter() {
        var meter = SilenceMeter()
        meter.hear([Int16](repeating: 0, count: 3_200))
        XCTAssertEqual(meter.quietMilliseconds, 200)
        meter.hear((0..<1_600).map { $0 % 2 == 0 ? 3_000 : -3_000 })
        XCTAssertEqual(meter.quietMilliseconds, 0)
        meter.hear((0..<8_000).map { $0 % 2 == 0 ? 50 : -50 })
        XCTAssertEqual(meter.quietMilliseconds, 500)
        // An extreme that has no opposite in 16 bits.
        meter.hear([Int16](repeating: .min, count: 320))
        XCTAssertEqual(meter.quietMilliseconds, 0)
    }
}

/// Notes what it is asked.
private final class AttentiveRecognizer: SpeechRecognizer {
    private(set) var calls: [String] = []
    func favor(_ words: [String], bias: Double) throws {
        calls.append("favor \(words.joined(separator: ", ")) \(bias)")
    }
    func begin() throws { calls.append("begin") }
    func process(_ samples: UnsafeBufferPointer<Int16>) throws {}
    func hypothesis() -> RecognitionHypothesis { RecognitionHypothesis() }
    func end() throws -> RecognitionHypothesis { RecognitionHypothesis() }
}
