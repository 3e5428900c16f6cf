import SpeechlyGRPC
import SpeechlyProto
import XCTest

@testable import SpeechlyTesting

final class StreamRulesTests: XCTestCase {
    private let config = SLURequest(streamingRequest: .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
    private let start = SLURequest(
        streamingRequest: .start(SLUStart(appId: "app", options: [.init(key: "timezone", value: ["UTC"])])))
    private let stop = SLURequest(streamingRequest: .stop(SLUStop()))
    private func audio(_ count: Int) -> SLURequest {
        SLURequest(streamingRequest: .audio([UInt8](repeating: 7, count: count)))
    }

    private func play(_ requests: [SLURequest], halfClose: Bool = false) -> (Received.Stream, [String]) {
        var rules = StreamRules()
        var stream = Received.Stream(metadata: [:])
        var violations: [String] = []
        var contexts = 0
        for request in requests {
            let outcome = rules.receive(request, stream: &stream) {
                contexts += 1
                return "context \(contexts)"
            }
            if let violation = outcome.violation {
                XCTAssertEqual(violation.code, .failedPrecondition)
                violations.append(violation.message ?? "")
            }
        }
        if halfClose, let violation = rules.receiveHalfClose(stream: &stream).violation {
            violations.append(violation.message ?? "")
        }
        return (stream, violations)
    }

    func testFilesAudioUnderItsContext() {
        let rtt = SLURequest(streamingRequest: .rttResponse(RoundTripMeasurementResponse(id: 5)))
        let (stream, violations) = play(
            [config, start, audio(4), audio(6), rtt, stop, start, audio(2), stop, SLURequest()], halfClose: true)
        XCTAssertEqual(violations, [])
        XCTAssertEqual(stream.contexts.map(\.id), ["context 1", "context 2"])
        XCTAssertEqual(stream.contexts.map(\.audio.count), [10, 2])
        XCTAssertEqual(stream.contexts.map(\.isStopped), [true, true])
        XCTAssertEqual(stream.contexts[0].appId, "app")
        XCTAssertEqual(stream.contexts[0].option("timezone"), ["UTC"])
        XCTAssertNil(stream.contexts[0].option("vocabulary"))
        XCTAssertEqual(stream.roundTripAnswers, [5])
        XCTAssertEqual(
            stream.messages,
            [
                .config, .start, .audio(4), .audio(6), .roundTripAnswer(5), .stop, .start, .audio(2), .stop, .unknown,
                .halfClose,
            ])
        XCTAssertTrue(stream.isHalfClosed)
    }

    func testTakesTheOlderEventsForStartAndStop() {
        let older = [
            SLURequest(streamingRequest: .event(SLUEvent(event: .start, appId: "old"))), audio(2),
            SLURequest(streamingRequest: .event(SLUEvent(event: .stop))),
        ]
        let (stream, violations) = play([config] + older, halfClose: true)
        XCTAssertEqual(violations, [])
        XCTAssertEqual(stream.contexts[0].appId, "old")
        XCTAssertTrue(stream.contexts[0].isStopped)
    }

    func testNamesEveryBrokenRule() {
        let cases: [([SLURequest], Bool, [String])] = [
            ([start], false, ["a start before the configuration"]),
            ([config, config], false, ["a second configuration"]),
            ([config, start, start], false, ["a start within a context"]),
            ([config, audio(2)], false, ["audio without a start"]),
            ([config, stop], false, ["a stop without a start"]),
            ([config, start, stop, audio(2)], false, ["audio without a start"]),
            ([config, start], true, ["half-close within a context"]),
            ([SLURequest(), config], false, ["a late configuration"]),
        ]
        for (requests, halfClose, expected) in cases {
            let (stream, violations) = play(requests, halfClose: halfClose)
            XCTAssertEqual(violations, expected)
            XCTAssertEqual(stream.violations, expected)
        }
    }
}
