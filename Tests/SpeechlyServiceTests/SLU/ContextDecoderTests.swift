import Foundation
import Speechly
import XCTest

@testable import SpeechlyService

final class ContextDecoderTests: XCTestCase {
    private static let chunk = [UInt8](repeating: 0, count: 960)

    private func decoder(
        _ recognizer: any SpeechRecognizer, options: [(String, String)] = [], rate: Int = 16_000
    ) throws -> ContextDecoder {
        try ContextDecoder(
            recognizer: recognizer, interpreter: Interpreter(configuration: SpeechCase.configuration().sal),
            options: ContextSettings(options.map { (key: $0.0, values: [$0.1]) }), sampleRate: rate)
    }

    private func count(_ messages: [SegmentMessage]) -> Int {
        messages.count { if case .tentativeTranscript = $0.content { true } else { false } }
    }

    func testTentativeMessagesAreAtMostTenASecondOfAudio() throws {
        let words = (0..<400).map { "word\($0)" }
        let decoder = try decoder(HastyRecognizer(words))
        var tentative = 0
        // Ten seconds of audio.
        for _ in 0..<333 { tentative += try count(decoder.hear(Self.chunk[...])) }
        XCTAssertEqual(tentative, 99)
    }

    /// What was probably said depends on the audio, not on how soon it came or how busy the machine is: also what
    /// for a moment was taken for two commands, of which one is taken back.
    func testTentativeMessagesDoNotDependOnTheChunks() throws {
        let one = ["show", "me", "go", "repositories"]
        let audio = [UInt8](repeating: 0, count: 3_200 * 3)
        var results: Set<[SegmentMessage]> = []
        for size in [320, 960, 3_200, 4_096, audio.count] {
            let decoder = try decoder(FickleRecognizer([one, one + ["reset", "filters"], one]))
            var messages: [SegmentMessage] = []
            for start in stride(from: 0, to: audio.count, by: size) {
                messages += try decoder.hear(audio[start..<min(start + size, audio.count)])
            }
            messages += try decoder.finish()
            let ends = messages.filter { $0.content == .segmentEnd(SLUSegmentEnd()) }
            XCTAssertEqual(ends.map(\.segmentId), [0])
            let second = messages.compactMap { message -> Int? in
                guard message.segmentId == 1, case .tentativeTranscript(let transcript) = message.content else {
                    return nil
                }
                return transcript.tentativeWords.count
            }
            XCTAssertEqual(second, [2, 0], "in chunks of \(size)")
            results.insert(messages)
        }
        XCTAssertEqual(results.count, 1)
    }

    func testARecognizerIsToldWhichWordsAreFavoured() throws {
        let recognizer = AttentiveRecognizer()
        _ = try decoder(
            recognizer, options: [("vocabulary", "Forks\nPULL request"), ("vocabulary_bias", "1.5")])
        _ = try decoder(recognizer)
        XCTAssertEqual(recognizer.calls, ["favor forks, pull request 1.5", "begin", "favor  0.0", "begin"])
    }

    func testTheFirstWordComesEarly() async throws {
        for item in try SpeechCase.all() {
            let decoder = try decoder(PocketSphinxRecognizer(task: SpeechCase.task()))
            let bytes = try await item.samples().withUnsafeBytes { Array($0) }
            var firstAt: Int?
            for start in stride(from: 0, to: bytes.count, by: 3_200) {
                let messages = try decoder.hear(bytes[start..<min(start + 3_200, bytes.count)])
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
                PocketSphinxRecognizer(task: SpeechCase.task()),
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
        let decoder = try decoder(recognizer, rate: 11_025)
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
            options: ContextSettings(options.map { (key: $0.0, values: [$0.1]) }), sampleRate: 16_000)
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

/// Hears a word in every 25 ms of audio.
private final class HastyRecognizer: SpeechRecognizer {
    private let words: [String]
    private var samples = 0
    init(_ words: [String]) { self.words = words }
    func begin() throws { samples = 0 }
    func process(_ samples: UnsafeBufferPointer<Int16>) throws { self.samples += samples.count }
    func hypothesis() -> RecognitionHypothesis {
        RecognitionHypothesis(
            words: words.prefix(samples / 400).enumerated().map {
                RecognizedWord(text: $0.element, startTime: $0.offset * 25, endTime: $0.offset * 25 + 25)
            })
    }
    func end() throws -> RecognitionHypothesis { hypothesis() }
}

/// Changes its mind with every 100 ms of audio.
private final class FickleRecognizer: SpeechRecognizer {
    private let minds: [[String]]
    private var samples = 0
    init(_ minds: [[String]]) { self.minds = minds }
    func begin() throws { samples = 0 }
    func process(_ samples: UnsafeBufferPointer<Int16>) throws { self.samples += samples.count }
    func hypothesis() -> RecognitionHypothesis {
        guard samples >= 1_600 else { return RecognitionHypothesis() }
        return RecognitionHypothesis(
            words: minds[min(samples / 1_600, minds.count) - 1].enumerated().map {
                RecognizedWord(text: $0.element, startTime: $0.offset * 10, endTime: $0.offset * 10 + 10)
            })
    }
    func end() throws -> RecognitionHypothesis { hypothesis() }
}
