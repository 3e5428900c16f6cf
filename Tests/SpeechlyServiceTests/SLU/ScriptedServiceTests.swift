import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

/// A recogniser that the host brings, and what the service does around any recogniser.
final class ScriptedServiceTests: XCTestCase {
    private func configuration(
        _ script: String, failsAt: Int? = nil
    ) throws -> ServiceConfiguration {
        var configuration = try SpeechCase.configuration()
        let words = script.split(separator: " ").map(String.init)
        configuration.recognizer = RecognizerProvider { task in
            XCTAssertNotNil(task.grammar)
            XCTAssertTrue(task.vocabulary.contains("typescript"))
            return ScriptedRecognizer(script: words, failsAt: failsAt)
        }
        return configuration
    }

    private static func samples(seconds: Double) -> [Int16] { [Int16](repeating: 1, count: Int(seconds * 16_000)) }

    func testAHostsRecognizer() async throws {
        let harness = try ServiceHarness(configuration("sort by stars show go"))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(Self.samples(seconds: 1))
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        let context = try XCTUnwrap(ContextTranscript.read(responses).first)
        XCTAssertEqual(context.segments[0]?.text, "sort by stars")
        XCTAssertEqual(context.segments[0]?.intent, "sort")
        XCTAssertEqual(
            context.segments[0]?.entities,
            [SLUEntity(entity: "sort_field", value: "stars", startPosition: 2, endPosition: 3)])
        XCTAssertEqual(context.segments[1]?.text, "show go")
        XCTAssertEqual(context.segments[1]?.words.map(\.startTime), [300, 400])
        XCTAssertEqual(context.segments[1]?.words.map(\.endTime), [400, 500])
        XCTAssertEqual(context.segments[1]?.intent, "filter")
    }

    func testWordsOutsideTheConfigurationAreKeptWithoutAnIntent() async throws {
        let harness = try ServiceHarness(configuration("what is the weather"))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(Self.samples(seconds: 1))
        stream.closeSend()
        let (responses, _) = await stream.collect()
        let context = try XCTUnwrap(ContextTranscript.read(responses).first)
        XCTAssertEqual(context.segments[0]?.text, "what is the weather")
        XCTAssertEqual(context.segments[0]?.intent, "")
    }

    func testNonStreamingNLUHasNoTentativeMeaning() async throws {
        let harness = try ServiceHarness(configuration("sort by stars"))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(
            Self.samples(seconds: 1), options: [SLUStart.Option(key: "non_streaming_nlu", value: ["yes"])])
        stream.closeSend()
        let (responses, _) = await stream.collect()
        for response in responses {
            switch response.streamingResponse {
            case .tentativeEntities?, .tentativeIntent?: XCTFail("\(response)")
            default: break
            }
        }
        let context = try XCTUnwrap(ContextTranscript.read(responses).first)
        XCTAssertEqual(context.segments[0]?.intent, "sort")
        XCTAssertGreaterThan(context.segments[0]?.tentativeCount ?? 0, 0)
    }

    func testAContextOfMoreThanFiveMinutes() async throws {
        let harness = try ServiceHarness(configuration("show go"))
        let stream = try harness.stream()
        try await stream.configure(sampleRate: 8_000)
        try await stream.send(.start(SLUStart()))
        let minute = [UInt8](repeating: 0, count: 8_000 * 2 * 60)
        for _ in 0..<5 { try await stream.send(.audio(minute)) }
        try await stream.send(.audio([0, 0]))
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status.code, .outOfRange, "\(status)")
        _ = ContextTranscript.read(responses)
    }

    func testAContextThatIsLeftOpenWithoutAudio() async throws {
        let harness = try ServiceHarness(configuration("show go")) {
            $0.contextTimeLimit = .milliseconds(50)
        }
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        let (_, status) = await stream.collect()
        XCTAssertEqual(status.code, .outOfRange, "\(status)")
    }

    func testAnEngineThatFailsSaysWhy() async throws {
        let harness = try ServiceHarness(configuration("show go", failsAt: 4_000))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(Self.samples(seconds: 1))
        let (_, status) = await stream.collect()
        XCTAssertEqual(status.code, .internal)
        XCTAssertEqual(status.message, "recognition failed: the engine lost its model")
    }

    func testContextsWaitForARecognizerAndGiveUp() async throws {
        var configuration = try configuration("show go")
        configuration.maximumRecognizers = 1
        let harness = try ServiceHarness(configuration) { $0.recognizerWait = .milliseconds(100) }
        let first = try harness.stream()
        try await first.configure()
        try await first.send(.start(SLUStart()))
        let audio = Self.samples(seconds: 0.3).withUnsafeBytes { Array($0) }
        try await first.send(.audio(audio))
        // The first tentative words show that the only recogniser is taken.
        _ = try await first.responses { response in
            if case .tentativeTranscript? = response.streamingResponse { true } else { false }
        }
        let second = try harness.stream()
        try await second.configure()
        try await second.sendContext(Self.samples(seconds: 0.3))
        let (_, refused) = await second.collect()
        XCTAssertEqual(refused.code, .resourceExhausted, "\(refused)")
        try await first.send(.stop(SLUStop()))
        first.closeSend()
        let (_, status) = await first.collect()
        XCTAssertEqual(status, .ok)
    }

    func testACancelledStreamGivesItsRecognizerBack() async throws {
        var configuration = try configuration("show go")
        configuration.maximumRecognizers = 1
        let harness = try ServiceHarness(configuration)
        for _ in 0..<20 {
            let stream = try harness.stream()
            try await stream.configure()
            try await stream.send(.start(SLUStart()))
            try await stream.send(.audio(Self.samples(seconds: 0.3).withUnsafeBytes { Array($0) }))
            _ = try await stream.responses { response in
                if case .tentativeTranscript? = response.streamingResponse { true } else { false }
            }
            stream.cancel()
        }
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(Self.samples(seconds: 0.3))
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        XCTAssertEqual(ContextTranscript.read(responses).first?.text, "show go")
    }

    func testTooManyStreams() async throws {
        var configuration = try configuration("show go")
        configuration.maximumStreams = 1
        let harness = try ServiceHarness(configuration)
        let first = try harness.stream()
        try await first.configure()
        try await first.send(.start(SLUStart()))
        _ = try await first.responses { _ in true }
        let (_, status) = await (try harness.stream()).collect()
        XCTAssertEqual(status.code, .resourceExhausted, "\(status)")
        try await first.send(.stop(SLUStop()))
        first.closeSend()
        let (_, ended) = await first.collect()
        XCTAssertEqual(ended, .ok)
    }

    func testShutdownLetsARunningContextEnd() async throws {
        let harness = try ServiceHarness(configuration("show go"))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        _ = try await stream.responses { _ in true }
        async let stopped: Void = harness.service.shutdown(grace: .seconds(30))
        try await stream.send(.audio(Self.samples(seconds: 0.3).withUnsafeBytes { Array($0) }))
        try await stream.send(.stop(SLUStop()))
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status.code, .unavailable, "\(status)")
        XCTAssertEqual(responses.last?.streamingResponse, .finished(SLUFinished()))
        XCTAssertEqual(responses.count { if case .transcript? = $0.streamingResponse { true } else { false } }, 2)
        await stopped
    }

    func testAClientThatEndsItsStreamAfterItsLastContextIsNotTurnedAwayByAShutdown() async throws {
        // The pause is longer than any test; the client's end of the stream ends it.
        let harness = try ServiceHarness(configuration("show go")) { $0.drainPause = .seconds(3_600) }
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        _ = try await stream.responses { _ in true }
        async let stopped: Void = harness.service.shutdown(grace: .seconds(3_600))
        try await stream.send(.audio(Self.samples(seconds: 0.3).withUnsafeBytes { Array($0) }))
        try await stream.send(.stop(SLUStop()))
        _ = try await stream.responses { response in
            if case .finished? = response.streamingResponse { true } else { false }
        }
        stream.closeSend()
        let (_, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        await stopped
    }

    func testShutdownEndsIdleStreamsAtOnce() async throws {
        let harness = try ServiceHarness(configuration("show go"))
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(Self.samples(seconds: 0.3))
        _ = try await stream.responses { response in
            if case .finished? = response.streamingResponse { true } else { false }
        }
        // It would wait for an hour otherwise.
        async let stopped: Void = harness.service.shutdown(grace: .seconds(3_600))
        let (_, status) = await stream.collect()
        XCTAssertEqual(status.code, .unavailable, "\(status)")
        await stopped
    }
}
