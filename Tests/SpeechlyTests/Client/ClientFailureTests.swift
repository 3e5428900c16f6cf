import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Everything that can fail, and what the owner of a client hears of it.
final class ClientFailureTests: XCTestCase {
    private let denied = GRPCStatus(code: .permissionDenied, message: "token expired")

    /// Runs one start against a server and returns what the delegate heard until the first error.
    private func firstError(
        _ server: MockSpeechlyServer, recorder: FakeRecorder = FakeRecorder(),
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> [CallbackLog.Callback] {
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, configure: configure)
        client.delegate = log
        client.startContext()
        return try await log.wait(for: "an error") { !$0.errors.isEmpty }
    }

    func testARefusedTokenIsRenewedOnceAndNothingIsLost() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript(automatic: false).on(.start(), .end(denied)), .hears("hello"),
        ])
        let recorder = FakeRecorder()
        let cache = MemoryCache()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, cache: cache)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 0])
        try await server.received("the second stream") { $0.streams.count == 2 }
        recorder.capture([2, 0])
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [])
        XCTAssertEqual(callbacks.count(of: .started), 1)
        XCTAssertEqual(server.received.logins.count, 2)
        XCTAssertEqual(server.received.streams.last?.contexts.map(\.audio), [[1, 0, 2, 0]])
    }

    func testATokenRefusedTwiceIsAnError() async throws {
        let refuse = StreamScript(automatic: false).on(.opened, .end(denied))
        let server = try MockSpeechlyServer(streams: [refuse, refuse])
        let callbacks = try await firstError(server)
        guard callbacks.count == 1, case .error(.apiError(let text)) = callbacks[0] else {
            return XCTFail("\(callbacks)")
        }
        XCTAssertTrue(text.contains("token expired"), text)
        XCTAssertEqual(server.received.logins.count, 2)
    }

    func testAMicrophoneThatCannotBeOpenedIsAnAudioError() async throws {
        let server = try MockSpeechlyServer()
        let callbacks = try await firstError(server, recorder: FakeRecorder(startError: FakeRecorder.NoMicrophone()))
        XCTAssertEqual(callbacks.errors, [.audioError("the microphone cannot be opened: no such device")])
        XCTAssertFalse(callbacks.contains(.stopped))
    }

    func testALostMicrophoneStopsTheContextProperly() async throws {
        let server = try MockSpeechlyServer(streams: [.hears("so far")])
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 0])
        try await log.wait(for: "the start") { $0.contains(.started) }
        recorder.fail(FakeRecorder.NoMicrophone())
        recorder.endTail()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [.audioError("the microphone failed: no such device")])
        XCTAssertEqual(callbacks.segments.last?.isFinal, true)
    }

    func testAStreamThatFailsWithinAContextIsAnErrorAndAStop() async throws {
        let status = GRPCStatus(code: .outOfRange, message: "context too long")
        let server = try MockSpeechlyServer(streams: [StreamScript().on(.audio(2), .end(status))])
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 0])
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.count, 3)
        XCTAssertEqual(callbacks.first, .started)
        guard case .error(.apiError(let text)) = callbacks[1] else { return XCTFail("\(callbacks)") }
        XCTAssertTrue(text.contains("OUT_OF_RANGE: context too long"), text)
        try await eventually("the microphone is closed") { !recorder.isRecording }
        client.startContext()
        try await log.wait(for: "the next start") { $0.count(of: .started) == 2 }
    }

    func testAContextThatMayNotBeContinuedFailsWithItsConnection() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder) { $0.maximumReconnects = 0 }
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        server.dropConnections()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        guard callbacks.count == 3, case .error(.networkError) = callbacks[1] else { return XCTFail("\(callbacks)") }
        client.startContext()
        try await log.wait(for: "the next start") { $0.count(of: .started) == 2 }
    }

    func testAStreamThatDiedWhileIdleIsReplacedWithoutAnError() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        for round in 1...3 {
            client.startContext()
            client.stopContext()
            try await log.wait(for: "stop \(round)") { $0.count(of: .stopped) == round }
            server.dropConnections()
        }
        XCTAssertEqual(log.errors, [])
        XCTAssertEqual(server.received.streams.count, 3)
    }

    func testAStartWhileTheIdleStreamCloses() async throws {
        // The service takes the half-close and says nothing.
        let server = try MockSpeechlyServer(streams: [
            StreamScript(automatic: false).on(.start(), .send(.started)).on(.stop(), .send(.finished))
        ])
        let time = ManualTime()
        let log = CallbackLog()
        let client = try Client.make(server, clock: time)
        client.delegate = log
        client.startContext()
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        time.advance(by: .seconds(31))
        try await server.received("the half-close") { $0.streams.first?.isHalfClosed == true }
        client.startContext()
        client.stopContext()
        try await log.wait(for: "the second stop") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(log.callbacks, [.started, .stopped, .started, .stopped])
        XCTAssertEqual(server.received.streams.count, 2)
    }

    func testAClosedStreamIsANetworkError() async throws {
        let closes = StreamScript(automatic: false).on(.start(), .end(.ok))
        let server = try MockSpeechlyServer(streams: Array(repeating: closes, count: 4))
        let callbacks = try await firstError(server)
        guard callbacks.count == 1, case .error(.networkError(let text)) = callbacks[0] else {
            return XCTFail("\(callbacks)")
        }
        XCTAssertTrue(text.contains("closed the stream early"), text)
    }

    func testAServerThatNeverAcknowledgesIsATimeout() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript(automatic: false)])
        let time = ManualTime()
        let log = CallbackLog()
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder, clock: time)
        client.delegate = log
        client.startContext()
        try await server.received("the start") { !$0.contexts.isEmpty }
        // The machine learns of the sending a moment after the service.
        try await eventually("the error") {
            time.advance(by: .seconds(1))
            return !log.errors.isEmpty
        }
        guard case .networkError(let text)? = log.errors.first else { return XCTFail("\(log.callbacks)") }
        XCTAssertTrue(text.contains("did not acknowledge the start within 10 s"), text)
        XCTAssertFalse(log.callbacks.contains(.stopped))
        try await eventually("the microphone is closed") { !recorder.isRecording }
        try await server.received("the cancellation") { $0.streams.first?.isCancelled == true }
    }

    func testAServerThatNeverFinishesIsATimeout() async throws {
        // Neither at first, nor when the context is given to a new stream.
        let script = StreamScript(automatic: false).on(.start(), .send(.started))
        let server = try MockSpeechlyServer(streams: [script, script])
        let time = ManualTime()
        let log = CallbackLog()
        let client = try Client.make(server, clock: time) { $0.startTimeout = .seconds(10_000) }
        client.delegate = log
        client.startContext()
        client.stopContext()
        try await server.received("the stop") { $0.contexts.first?.isStopped == true }
        try await log.wait(for: "the start") { $0.contains(.started) }
        try await eventually("the stop") {
            time.advance(by: .seconds(5))
            return log.callbacks.contains(.stopped)
        }
        guard case .networkError(let text)? = log.errors.first else { return XCTFail("\(log.callbacks)") }
        XCTAssertTrue(text.contains("did not finish the context within 30 s"), text)
    }

    func testAnUnreadableMessageIsAParseErrorAndTheStreamGoesOn() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(
                .start(), .sendBytes([0x0A, 0x7F]), .send(MockMessage.transcript("x", index: 0).context("ghost")),
                .send(.transcript("ok", index: 0)))
        ])
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        client.startContext()
        let callbacks = try await log.wait(for: "the word") { !$0.segments.isEmpty }
        XCTAssertEqual(callbacks.errors.count, 2)
        guard case .parseError(let first) = callbacks.errors[0], case .parseError(let second) = callbacks.errors[1]
        else { return XCTFail("\(callbacks)") }
        XCTAssertTrue(first.contains("speechly.slu.v1.SLUResponse"), first)
        XCTAssertTrue(second.contains("\"ghost\", which was never started"), second)
        XCTAssertEqual(callbacks.segments.last?.transcripts.map(\.value), ["ok"])
    }

    func testGarbageInPlaceOfATokenIsAnApiError() async throws {
        for login in [LoginScript.response(LoginResponse(token: "garbage")), .bytes([0xFF, 0xFF])] {
            let server = try MockSpeechlyServer(logins: [login])
            let callbacks = try await firstError(server)
            guard callbacks.count == 1 else { return XCTFail("\(callbacks)") }
            if case .error(.apiError(let text)) = callbacks[0] {
                XCTAssertTrue(text.hasPrefix("cannot log in"), text)
            } else if case .error(.parseError(let text)) = callbacks[0] {
                XCTAssertTrue(text.contains("LoginResponse"), text)
            } else {
                XCTFail("\(callbacks)")
            }
        }
    }

    func testAClosedPortIsANetworkErrorThatNamesTheAddress() async throws {
        let server = try MockSpeechlyServer()
        server.setAcceptsConnections(false)
        let callbacks = try await firstError(server)
        guard callbacks.count == 1, case .error(.networkError(let text)) = callbacks[0] else {
            return XCTFail("\(callbacks)")
        }
        XCTAssertTrue(text.contains(server.address.description), text)
    }

    func testAServerThatSaysNothingIsGivenUp() async throws {
        let server = try MockSpeechlyServer()
        server.setStalled(true)
        let callbacks = try await firstError(server) { $0.connectTimeout = .milliseconds(300) }
        guard callbacks.count == 1, case .error(.networkError(let text)) = callbacks[0] else {
            return XCTFail("\(callbacks)")
        }
        XCTAssertTrue(text.contains(server.address.description), text)
    }

    func testTLSToAPlaintextPortIsANetworkError() async throws {
        let server = try MockSpeechlyServer()
        let address = "grpc+tls://127.0.0.1:\(server.address.port)"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ClientConfiguration()
        configuration.cacheDirectory = folder
        configuration.connectTimeout = .seconds(5)
        let client = try Client(
            appId: testAppId, prepareOnInit: false, identityAddr: address, sluAddr: address,
            configuration: configuration)
        do {
            _ = try await client.transcribe(BytesSource(chunks: []))
            XCTFail("no error")
        } catch let failure as Failure {
            XCTAssertEqual(failure.side, .network)
            XCTAssertTrue("\(failure)".contains(address), "\(failure)")
        }
    }

    func testStartWhileSuspendedIsAnErrorAndResumeMakesItWork() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        client.suspend()
        client.suspend()
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        try await server.received("the end") { $0.streams.first?.isEnded == true }
        XCTAssertEqual(log.errors, [])
        client.startContext()
        try await log.wait(for: "the error") { $0.errors == [.apiError(Failure.clientSuspended.description)] }
        try client.resume()
        try client.resume()
        client.startContext()
        try await log.wait(for: "the second start") { $0.count(of: .started) == 2 }
        XCTAssertEqual(recorder.calls, [.start, .suspend, .resume, .start])
    }

    func testResumeThrowsWhatTheRecorderThrows() throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server, recorder: FakeRecorder(resumeError: FakeRecorder.NoMicrophone()))
        client.suspend()
        XCTAssertThrowsError(try client.resume()) { XCTAssertEqual(($0 as? Failure)?.side, .audio) }
    }
}
