import Speechly
import XCTest

@testable import SpeechlyService

/// A peer that breaks the rules gets the right status, and nobody else notices.
final class StreamOrderTests: XCTestCase {
    private struct Violation: Sendable {
        var name: String
        var requests: [SLURequest.StreamingRequest]
        var closes = false
        var code: GRPCStatus.Code
        var scope = TokenClaims.Scope.application(ServiceHarness.appId)
    }

    private static let config = SLURequest.StreamingRequest.config(SLUConfig(channels: 1, sampleRateHertz: 16_000))
    private static let start = SLURequest.StreamingRequest.start(SLUStart())
    private static let stop = SLURequest.StreamingRequest.stop(SLUStop())
    private static let audio = SLURequest.StreamingRequest.audio([0, 0])

    private static func config(
        encoding: Int32 = 0, channels: Int32 = 1, rate: Int32 = 16_000, language: String = "",
        options: [SLUConfig.Option] = []
    ) -> SLURequest.StreamingRequest {
        .config(
            SLUConfig(
                encoding: .init(rawValue: encoding), channels: channels, sampleRateHertz: rate,
                languageCode: language, options: options))
    }

    private static func start(_ key: String, _ values: String...) -> SLURequest.StreamingRequest {
        .start(SLUStart(options: [SLUStart.Option(key: key, value: values)]))
    }

    private static let otherApp = "00000000-0000-4000-8000-000000000000"
    private static let project = TokenClaims.Scope.project(ServiceHarness.projectId)

    private static let violations: [Violation] = [
        Violation(name: "audio first", requests: [audio], code: .invalidArgument),
        Violation(name: "start first", requests: [start], code: .invalidArgument),
        Violation(name: "stop first", requests: [stop], code: .invalidArgument),
        Violation(name: "event first", requests: [.event(SLUEvent(event: .start))], code: .invalidArgument),
        Violation(name: "config twice", requests: [config, config], code: .failedPrecondition),
        Violation(name: "config in a context", requests: [config, start, config], code: .failedPrecondition),
        Violation(name: "audio without start", requests: [config, audio], code: .failedPrecondition),
        Violation(name: "audio after stop", requests: [config, start, stop, audio], code: .failedPrecondition),
        Violation(name: "stop without start", requests: [config, stop], code: .failedPrecondition),
        Violation(name: "stop twice", requests: [config, start, stop, stop], code: .failedPrecondition),
        Violation(name: "start twice", requests: [config, start, start], code: .failedPrecondition),
        Violation(
            name: "event start twice",
            requests: [config, .event(SLUEvent(event: .start)), .event(SLUEvent(event: .start))],
            code: .failedPrecondition),
        Violation(
            name: "event start in a context", requests: [config, start, .event(SLUEvent(event: .start))],
            code: .failedPrecondition),
        Violation(
            name: "an unknown event", requests: [config, .event(SLUEvent(event: .init(rawValue: 7)))],
            code: .invalidArgument),
        Violation(
            name: "event of another application", requests: [config, .event(SLUEvent(event: .start, appId: otherApp))],
            code: .invalidArgument),
        Violation(
            name: "half-close at once in a context", requests: [config, start], closes: true,
            code: .failedPrecondition),
        Violation(
            name: "a huge vocabulary",
            requests: [
                config,
                .start(
                    SLUStart(options: [
                        .init(key: "vocabulary", value: [String](repeating: "word", count: 10_001))
                    ])),
            ], code: .invalidArgument),
        Violation(
            name: "event stop without start", requests: [config, .event(SLUEvent(event: .stop))],
            code: .failedPrecondition),
        Violation(
            name: "half-close in a context", requests: [config, start, audio], closes: true, code: .failedPrecondition),
        Violation(name: "odd audio", requests: [config, start, .audio([1, 2, 3])], code: .invalidArgument),
        Violation(
            name: "a message too large", requests: [config, start, .audio([UInt8](repeating: 0, count: 1_000_000))],
            code: .resourceExhausted),
        Violation(name: "no channels", requests: [config(channels: 0)], code: .invalidArgument),
        Violation(name: "two channels", requests: [config(channels: 2)], code: .invalidArgument),
        Violation(name: "no rate", requests: [config(rate: 0)], code: .invalidArgument),
        Violation(name: "a low rate", requests: [config(rate: 7_999)], code: .invalidArgument),
        Violation(name: "a negative rate", requests: [config(rate: -16_000)], code: .invalidArgument),
        Violation(name: "an absurd rate", requests: [config(rate: .max)], code: .invalidArgument),
        Violation(name: "another encoding", requests: [config(encoding: 1)], code: .invalidArgument),
        Violation(name: "another language", requests: [config(language: "fi-FI")], code: .invalidArgument),
        Violation(
            name: "a bad stream option",
            requests: [config(options: [SLUConfig.Option(key: "vocabulary_bias", value: ["much"])])],
            code: .invalidArgument),
        Violation(
            name: "a bias beyond its range", requests: [config, start("vocabulary_bias", "4.5")],
            code: .invalidArgument),
        Violation(name: "a bad time zone", requests: [config, start("timezone", "Mars/Base")], code: .invalidArgument),
        Violation(name: "two time zones", requests: [config, start("timezone", "UTC", "UTC")], code: .invalidArgument),
        Violation(name: "no time zone", requests: [config, start("timezone")], code: .invalidArgument),
        Violation(
            name: "a bad silence", requests: [config, start("silence_triggered_segmentation", "-1")],
            code: .invalidArgument),
        Violation(
            name: "a silence of nan", requests: [config, start("silence_triggered_segmentation", "nan")],
            code: .invalidArgument),
        Violation(
            name: "a bad yes", requests: [config, start("non_streaming_nlu", "maybe")], code: .invalidArgument),
        Violation(
            name: "another application", requests: [config, .start(SLUStart(appId: otherApp))],
            code: .invalidArgument),
        Violation(name: "no application", requests: [config, start], code: .invalidArgument, scope: project),
        Violation(
            name: "not an application", requests: [config, .start(SLUStart(appId: "app"))], code: .invalidArgument,
            scope: project),
        Violation(
            name: "a foreign application", requests: [config, .start(SLUStart(appId: otherApp))],
            code: .invalidArgument, scope: project),
    ]

    func testEveryViolationHasItsStatusAndOthersGoOn() async throws {
        var configuration = try SpeechCase.configuration()
        configuration.appIds = [try XCTUnwrap(UUID(uuidString: ServiceHarness.appId))]
        let harness = try ServiceHarness(configuration)
        let item = try SpeechCase.all()[4]
        let samples = try await item.samples()
        let innocent = try harness.stream()
        try await innocent.configure()
        try await innocent.send(.start(SLUStart()))
        for (index, violation) in Self.violations.enumerated() {
            let stream = try harness.stream(token: harness.token(violation.scope))
            for request in violation.requests { try await stream.send(request) }
            if violation.closes { stream.closeSend() }
            let (_, status) = await stream.collect()
            XCTAssertEqual(status.code, violation.code, "\(violation.name): \(status)")
            XCTAssertGreaterThan(status.message?.count ?? 0, 20, "\(violation.name): \(status)")
            let start = samples.count * index / Self.violations.count
            let end = samples.count * (index + 1) / Self.violations.count
            try await innocent.send(.audio(samples[start..<end].withUnsafeBytes { Array($0) }))
        }
        try await innocent.send(.stop(SLUStop()))
        innocent.closeSend()
        let (responses, status) = await innocent.collect()
        XCTAssertEqual(status, .ok)
        XCTAssertEqual(ContextTranscript.read(responses).first?.text, item.text)
    }

    func testResultsOfStoppedContextsComeBeforeTheStatus() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[5]
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(await item.samples())
        try await stream.send(Self.stop)
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status.code, .failedPrecondition)
        let contexts = ContextTranscript.read(responses)
        XCTAssertEqual(contexts.map(\.text), [item.text])
        XCTAssertEqual(contexts.map(\.isFinished), [true])
    }

    func testWhatIsAllowed() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let allowed: [[SLURequest.StreamingRequest]] = [
            [],
            [Self.config],
            [Self.config, Self.start, Self.stop],
            [Self.config, .rttResponse(RoundTripMeasurementResponse(id: 7)), Self.start, .audio([]), Self.stop],
            [Self.config(language: "en-GB"), Self.start("nobody_knows", "this", "that"), Self.stop],
            [
                Self.config,
                .start(
                    SLUStart(
                        appId: ServiceHarness.appId.uppercased(),
                        options: [
                            .init(key: "timezone", value: ["Europe/Helsinki"]),
                            .init(key: "vocabulary", value: ["FOO\nBAR", "baz"]),
                            .init(key: "vocabulary_bias", value: ["-1.5"]),
                            .init(key: "silence_triggered_segmentation", value: ["720"]),
                            .init(key: "non_streaming_nlu", value: ["no"]),
                        ])), Self.audio, Self.stop,
            ],
        ]
        for requests in allowed {
            let stream = try harness.stream()
            for request in requests { try await stream.send(request) }
            // A kind of request of a newer schema.
            if !requests.isEmpty { try await stream.send(bytes: [0xA2, 0x06, 0x00]) }
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status, .ok, "\(requests)")
            let starts = requests.filter { if case .start = $0 { true } else { false } }
            XCTAssertEqual(ContextTranscript.read(responses).map(\.isFinished), starts.map { _ in true })
        }
    }

    func testGarbageEndsOnlyItsOwnStream() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        var state: UInt64 = 7
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for round in 0..<200 {
            let stream = try harness.stream()
            if round % 2 == 0 { try await stream.configure() }
            if round % 4 == 0 { try await stream.send(Self.start) }
            for _ in 0..<random(4) + 1 {
                try await stream.send(bytes: (0..<random(64)).map { _ in UInt8(random(256)) })
            }
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertTrue(
                [.ok, .invalidArgument, .failedPrecondition].contains(status.code), "round \(round): \(status)")
            _ = ContextTranscript.read(responses)
        }
        let item = try SpeechCase.all()[5]
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.sendContext(await item.samples())
        stream.closeSend()
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        XCTAssertEqual(ContextTranscript.read(responses).first?.text, item.text)
    }

    func testTheOlderEventsOpenAndCloseContexts() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[5]
        let samples = try await item.samples()
        for scope in [TokenClaims.Scope.application(ServiceHarness.appId), Self.project] {
            let stream = try harness.stream(token: harness.token(scope))
            try await stream.configure()
            for _ in 0..<2 {
                try await stream.send(.event(SLUEvent(event: .start, appId: ServiceHarness.appId)))
                for start in stride(from: 0, to: samples.count, by: 1_600) {
                    let part = samples[start..<min(start + 1_600, samples.count)]
                    try await stream.send(.audio(part.withUnsafeBytes { Array($0) }))
                }
                try await stream.send(.event(SLUEvent(event: .stop)))
            }
            // Old and new may be mixed.
            try await stream.send(.event(SLUEvent(event: .start, appId: ServiceHarness.appId)))
            try await stream.send(Self.stop)
            stream.closeSend()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status, .ok)
            let contexts = ContextTranscript.read(responses)
            XCTAssertEqual(contexts.map(\.isFinished), [true, true, true])
            XCTAssertEqual(contexts.prefix(2).map(\.text), [item.text, item.text])
        }
    }

    func testTokensAtTheDoor() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let foreign = try TokenAuthority().issue(.application(ServiceHarness.appId), deviceId: ServiceHarness.deviceId)
        let expired = TokenAuthority(key: [UInt8](repeating: 7, count: 32)) {
            Date(timeIntervalSinceNow: -Double(TokenAuthority.lifetime) - 60)
        }
        XCTAssertThrowsError(
            try TokenAuthority(key: [UInt8](repeating: 7, count: 32)).verify(
                expired.issue(.application(ServiceHarness.appId), deviceId: ServiceHarness.deviceId).token)
        ) { error in
            guard case .expired? = error as? TokenError else { return XCTFail("\(error)") }
        }
        for token in [nil, "", "garbage", "a.b.c", foreign.token, try harness.token() + "A"] {
            let stream = try harness.stream(token: token)
            try await stream.configure()
            let (responses, status) = await stream.collect()
            XCTAssertEqual(status.code, .permissionDenied, "\(token ?? "none"): \(status)")
            XCTAssertGreaterThan(status.message?.count ?? 0, 10)
            XCTAssertTrue(responses.isEmpty)
        }
    }
}
