import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

final class ClientTests: XCTestCase {
    func testOneContextFromStartToStop() async throws {
        let server = try MockSpeechlyServer(streams: [
            .hears(
                "turn on the lights", intent: "turn_on",
                entities: [SLUEntity(entity: "thing", value: "lights", startPosition: 3, endPosition: 4)])
        ])
        let recorder = FakeRecorder()
        let queue = DispatchQueue(label: "test.delegate")
        let log = CallbackLog(queue: queue)
        let client = try Client.make(server, recorder: recorder, delegateQueue: queue)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 2, 3, 4])
        try await log.wait(for: "the words") { !$0.segments.isEmpty }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }

        XCTAssertEqual(callbacks.first, .started)
        XCTAssertEqual(callbacks.last, .stopped)
        XCTAssertEqual(callbacks.count(of: .started), 1)
        XCTAssertEqual(callbacks.count(of: .stopped), 1)
        XCTAssertEqual(callbacks.errors, [])
        let segments = callbacks.segments
        XCTAssertEqual(segments.first?.isFinal, false)
        let final = try XCTUnwrap(segments.last)
        XCTAssertTrue(final.isFinal)
        XCTAssertEqual(final.transcripts.map(\.value), ["turn", "on", "the", "lights"])
        XCTAssertEqual(final.intent, Intent(value: "turn_on", isFinal: true))
        XCTAssertEqual(final.entities.map(\.value), ["lights"])

        let received = server.received
        XCTAssertEqual(received.contexts.map(\.audio), [[1, 2, 3, 4]])
        XCTAssertEqual(received.contexts.first?.option("timezone"), [TimeZone.current.identifier])
        XCTAssertEqual(received.streams.first?.config?.sampleRateHertz, 16000)
        XCTAssertEqual(received.streams.first?.config?.channels, 1)
        XCTAssertEqual(received.streams.flatMap(\.violations), [])
    }

    func testAudioFromBeforeLoginAndConnectionIsSent() async throws {
        let clock = ManualClock()
        let server = try MockSpeechlyServer(logins: [.token().delayed(.seconds(5))], clock: clock)
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        try await server.received("the login") { !$0.logins.isEmpty }
        recorder.capture([1, 2])
        recorder.capture([3, 4])
        client.stopContext()
        try await eventually("the recorder stopped") { !recorder.isRecording && recorder.calls == [.start, .stop] }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(server.received.contexts.map(\.audio), [[1, 2, 3, 4]])
        XCTAssertEqual(server.received.streams.first?.messages.count, 5)
        XCTAssertEqual(log.callbacks, [.started, .stopped])
    }

    func testOneStreamServesManyContexts() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        for round in 1...5 {
            client.startContext()
            recorder.capture([UInt8(round), 0])
            client.stopContext()
            try await log.wait(for: "stop \(round)") { $0.count(of: .stopped) == round }
        }
        XCTAssertEqual(server.received.streams.count, 1)
        XCTAssertEqual(server.received.contexts.map(\.audio), (1...5).map { [UInt8($0), 0] })
        XCTAssertEqual(server.received.logins.count, 1)
        XCTAssertEqual(log.callbacks, Array(repeating: [.started, .stopped], count: 5).flatMap { $0 })
    }

    func testTheSameAppGoesOnAndAnotherAppTakesOver() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, appId: nil, projectId: UUID())
        client.delegate = log
        client.startContext(appId: "one")
        recorder.capture([1, 0])
        client.startContext(appId: "ONE")
        recorder.capture([2, 0])
        client.startContext(appId: "two")
        recorder.capture([3, 0])
        client.stopContext()
        try await log.wait(for: "both stops") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(server.received.contexts.map(\.appId), ["one", "two"])
        XCTAssertEqual(server.received.contexts.map(\.audio), [[1, 0, 2, 0], [3, 0]])
        XCTAssertEqual(server.received.streams.flatMap(\.violations), [])
        XCTAssertEqual(recorder.calls.filter { $0 == .start }.count, 1)
    }

    func testStartDuringATailKeepsTheAudioApart() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 0])
        client.stopContext()
        try await eventually("the tail") { recorder.calls == [.start, .stop] }
        recorder.capture([2, 0])
        client.startContext()
        try await eventually("the second recording") { recorder.calls == [.start, .stop, .start] }
        recorder.capture([3, 0])
        client.stopContext()
        try await eventually("the second tail") { recorder.calls.count == 4 }
        recorder.capture([4, 0])
        recorder.endTail()
        try await log.wait(for: "both stops") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(server.received.contexts.map(\.audio), [[1, 0, 2, 0], [3, 0, 4, 0]])
        XCTAssertEqual(server.received.streams.flatMap(\.violations), [])
    }

    func testAProjectLoginNeedsAnApp() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, appId: nil, projectId: UUID())
        client.delegate = log
        client.startContext()
        let callbacks = try await log.wait(for: "the error") { !$0.errors.isEmpty }
        XCTAssertEqual(callbacks, [.error(.apiError(Failure.appIdMissing.description))])
        XCTAssertEqual(server.received.logins.count, 0)
        XCTAssertEqual(recorder.calls, [])
    }

    func testAClientNeedsAnAppOrAProject() throws {
        XCTAssertThrowsError(try Client()) { XCTAssertEqual($0 as? Client.SpeechlyClientInitError, .keysMissing) }
        let identity = ScriptedIdentity { _ in try .made() }
        let channel = try makeChannel(addr: "grpc://127.0.0.1:1")
        XCTAssertThrowsError(
            try Client(
                prepareOnInit: false, sluClient: SluClient(channel: channel), identityClient: identity,
                cache: MemoryCache(), audioRecorder: FakeRecorder(), delegateDispatchQueue: .global())
        ) { XCTAssertEqual($0 as? Client.SpeechlyClientInitError, .keysMissing) }
        XCTAssertThrowsError(try Client(appId: testAppId, prepareOnInit: false, sluAddr: "http://x")) {
            XCTAssertTrue($0 is GRPCAddress.ParseError)
        }
    }

    func testLanguageAndOptionsAreSent() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server) { configuration in
            configuration.languageCode = "fi-FI"
            configuration.streamOptions.vocabulary = ["HELSINKI"]
        }
        client.delegate = log
        client.startContext(
            appId: nil,
            options: ContextOptions(timezone: "Europe/Helsinki", vocabularyBias: 2, custom: ["x": ["1", "2"]]))
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        let config = try XCTUnwrap(server.received.streams.first?.config)
        XCTAssertEqual(config.languageCode, "fi-FI")
        XCTAssertEqual(config.options, [SLUConfig.Option(key: "vocabulary", value: ["HELSINKI"])])
        XCTAssertEqual(
            server.received.contexts.first?.options.map { "\($0.key)=\($0.value.joined(separator: ","))" },
            ["timezone=Europe/Helsinki", "vocabulary_bias=2", "x=1,2"])
    }

    func testTheDeviceIdIsMadeOnceAndKept() async throws {
        let server = try MockSpeechlyServer()
        let cache = MemoryCache()
        let first = try Client.make(server, cache: cache)
        let token = try await first.authenticate()
        XCTAssertEqual(token.deviceId, first.deviceId)
        let second = try Client.make(server, cache: cache)
        XCTAssertEqual(second.deviceId, first.deviceId)
        XCTAssertEqual(cache.contents["deviceId"], first.deviceId.uuidString.lowercased())
        let damaged = MemoryCache(["deviceId": "not a UUID"])
        let third = try Client.make(server, cache: damaged)
        XCTAssertNotNil(third.deviceId)
        XCTAssertEqual(damaged.contents["deviceId"], third.deviceId.uuidString.lowercased())
    }

    func testPreparingLogsInAheadOfTime() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server, prepareOnInit: true)
        client.delegate = log
        try await server.received("the login") { $0.logins.count == 1 }
        client.startContext()
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(server.received.logins.count, 1)
    }

    func testAFailedLoginAheadOfTimeIsToldAtTheFirstStart() async throws {
        let refusal = LoginScript.status(GRPCStatus(code: .notFound, message: "no such app"))
        let server = try MockSpeechlyServer(logins: [refusal, refusal])
        let log = CallbackLog()
        let client = try Client.make(server, prepareOnInit: true)
        client.delegate = log
        try await server.received("the login") { $0.logins.count == 1 }
        XCTAssertEqual(log.callbacks, [])
        client.startContext()
        let callbacks = try await log.wait(for: "the error") { !$0.isEmpty }
        guard case .error(.apiError(let text)) = callbacks[0] else { return XCTFail("\(callbacks)") }
        XCTAssertTrue(text.contains("no such app") && text.contains(server.address.description), text)
    }

    func testTextIsUnderstood() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let segments = try await client.understand(
            text: "sort by  forks", referenceTime: Date(timeIntervalSince1970: 5.5))
        XCTAssertEqual(segments.map(\.text), ["sort by forks"])
        XCTAssertEqual(segments.first?.words.map(\.value), ["sort", "by", "forks"])
        XCTAssertEqual(segments.first?.intent, Intent(value: "", isFinal: true))
        let request = try XCTUnwrap(server.received.texts.first?.request)
        XCTAssertEqual(request.languageCode, "en-US")
        XCTAssertEqual(request.referenceTime, ProtoTimestamp(seconds: 5, nanos: 500_000_000))
    }

    func testATokenRefusedForTextIsRenewedOnce() async throws {
        let denied = TextScript.status(GRPCStatus(code: .permissionDenied, message: "token expired"))
        let server = try MockSpeechlyServer(texts: [denied, .echo, denied, denied])
        let client = try Client.make(server)
        let segments = try await client.understand(text: "hello")
        XCTAssertEqual(segments.map(\.text), ["hello"])
        XCTAssertEqual(server.received.logins.count, 2)
        do {
            _ = try await client.understand(text: "hello")
            XCTFail("no error")
        } catch let failure as Failure { XCTAssertEqual(failure.code, .permissionDenied) }
    }

    func testTheAudioOfEachUtteranceIsSavedWhenAskedFor() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder) { $0.utteranceDirectory = folder }
        client.delegate = log
        client.startContext()
        recorder.capture([1, 2, 3, 4])
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        let complete = { @Sendable () -> Data? in
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            guard let file = files?.first, files?.count == 1, let data = try? Data(contentsOf: file) else { return nil }
            return data.count == 48 && data[40] == 4 ? data : nil
        }
        try await eventually("the file") { complete() != nil }
        let data = try XCTUnwrap(complete())
        XCTAssertEqual(Array(data.prefix(4)), Array("RIFF".utf8))
        XCTAssertEqual(Array(data.suffix(4)), [1, 2, 3, 4])
    }
}
