import SpeechlyTesting
import XCTest

@testable import Speechly

final class ContextOptionsTests: XCTestCase {
    private func text(_ options: ContextOptions, zone: String? = "UTC") -> [String] {
        options.values(systemTimezone: zone).map { "\($0.key)=\($0.values.joined(separator: ","))" }
    }

    func testValuesOnTheWire() {
        XCTAssertEqual(text(ContextOptions()), ["timezone=UTC"])
        XCTAssertEqual(text(ContextOptions(), zone: nil), [])
        XCTAssertEqual(
            text(
                ContextOptions(
                    timezone: "Asia/Tokyo", vocabulary: ["a", "b"], vocabularyBias: -1.5,
                    silenceTriggeredSegmentation: .milliseconds(720), nonStreamingNLU: true)),
            [
                "timezone=Asia/Tokyo", "vocabulary=a,b", "vocabulary_bias=-1.5",
                "silence_triggered_segmentation=720", "non_streaming_nlu=yes",
            ])
        XCTAssertEqual(
            text(ContextOptions(vocabularyBias: 4, silenceTriggeredSegmentation: .zero, nonStreamingNLU: false)),
            ["timezone=UTC", "vocabulary_bias=4", "silence_triggered_segmentation=0", "non_streaming_nlu=no"])
    }

    func testCustomOptionsTakeThePlaceOfOthers() {
        XCTAssertEqual(
            text(ContextOptions(vocabulary: ["a"], custom: ["z": ["1"], "timezone": ["X"]])),
            ["vocabulary=a", "timezone=X", "z=1"])
    }

    func testAStartWithAValueOutOfItsRangeFails() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        for options in [
            ContextOptions(vocabularyBias: 4.1), ContextOptions(vocabularyBias: .nan),
            ContextOptions(silenceTriggeredSegmentation: .milliseconds(-1)),
            ContextOptions(silenceTriggeredSegmentation: .seconds(601)),
        ] {
            do {
                _ = try await client.start(options: options)
                XCTFail("\(options)")
            } catch let failure as Failure { XCTAssertEqual(failure.code, .invalidOption, "\(options)") }
        }
        for options in [
            ContextOptions(vocabularyBias: -4), ContextOptions(silenceTriggeredSegmentation: .seconds(600)),
        ] {
            _ = try await client.transcribe(BytesSource(chunks: []), options: options)
        }
    }

    /// Those of the stream are checked by the service alone.
    func testASilenceBelowZeroIsSentAsSuch() {
        let lengths: [Duration] = [.seconds(-5), .seconds(Int64.min), .seconds(Int64.max) * 4]
        XCTAssertEqual(
            lengths.map { text(ContextOptions(silenceTriggeredSegmentation: $0), zone: nil) },
            [
                ["silence_triggered_segmentation=-5000"], ["silence_triggered_segmentation=-31536000000"],
                ["silence_triggered_segmentation=31536000000"],
            ])
    }

    func testAnOddBiasDoesNotCrash() {
        for bias in [Double.nan, .infinity, 1e300, -0.0] {
            XCTAssertEqual(text(ContextOptions(vocabularyBias: bias)).count, 2)
        }
    }
}
