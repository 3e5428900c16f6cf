import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Contexts that the voice activity detector opens and closes.
final class ClientVoiceActivityTests: XCTestCase {
    private static let quiet = [UInt8](repeating: 0, count: 960)
    private static let loud = (0..<480).flatMap { _ in [0x00, 0x40] as [UInt8] }

    private func capture(_ recorder: FakeRecorder, _ frame: [UInt8], _ count: Int) {
        for _ in 0..<count { recorder.capture(frame) }
    }

    func testSpeechMakesContextsByItself() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        let events = EventLog(client)
        client.vad.start()
        XCTAssertTrue(client.vad.isListening)
        try await eventually("the recorder records") { recorder.isRecording }
        for round in 1...2 {
            capture(recorder, Self.quiet, 30)
            capture(recorder, Self.loud, 10)
            XCTAssertTrue(client.vad.isSpeech)
            capture(recorder, Self.quiet, 120)
            try await log.wait(for: "the end of context \(round)") { $0.count(of: .stopped) == round }
        }
        client.vad.stop()
        try await eventually("the recorder is off") { !recorder.isRecording && !client.vad.isListening }
        XCTAssertEqual(log.callbacks.errors, [])
        XCTAssertEqual(recorder.calls, [.start, .stop])
        let contexts = server.received.contexts
        XCTAssertEqual(contexts.count, 2)
        // Four quiet frames, ten loud ones, and the hold time of 100.
        for context in contexts {
            XCTAssertEqual(
                Array(context.audio.prefix(5 * 960)), Self.quiet + Self.quiet + Self.quiet + Self.quiet + Self.loud)
            XCTAssertTrue(context.isStopped)
        }
        XCTAssertEqual(server.received.streams.flatMap(\.violations), [])
        try await eventually("the events") { events.speech == [true, false, true, false] }
    }

    func testAStopDuringSpeechClosesTheContextWithItsTail() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        capture(recorder, Self.loud, 10)
        client.vad.stop()
        try await eventually("the recorder was told") { recorder.calls == [.start, .stop] }
        capture(recorder, Self.loud, 2)
        recorder.endTail()
        try await log.wait(for: "the end") { $0.contains(.stopped) }
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [12 * 960])
        XCTAssertFalse(client.vad.isListening)
    }

    func testARecorderThatNeverReportsItsStopEndsListeningAllTheSame() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let log = CallbackLog()
        let time = ManualTime()
        let client = try Client.make(server, recorder: recorder, clock: time)
        client.delegate = log
        let events = EventLog(client)
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        capture(recorder, Self.loud, 10)
        try await log.wait(for: "the start") { $0.contains(.started) }
        client.vad.stop()
        try await eventually("the recorder was told") { recorder.calls == [.start, .stop] }
        time.advance(by: .milliseconds(2_499))
        XCTAssertTrue(client.vad.isListening)
        time.advance(by: .milliseconds(1))
        XCTAssertFalse(client.vad.isListening)
        try await log.wait(for: "the end") { $0.contains(.stopped) }
        try await eventually("the events") { events.speech == [true, false] }
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [10 * 960])
        // A report that comes late is not taken for that of the next recording.
        client.startContext()
        try await eventually("the second start") { recorder.calls == [.start, .stop, .start] }
        recorder.capture(Self.quiet)
        client.stopContext()
        try await eventually("the second stop") { recorder.calls == [.start, .stop, .start, .stop] }
        recorder.endTail()
        try await log.wait(for: "the second end") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [10 * 960, 960])
    }

    func testTheTimeForOneStopIsNotThatOfTheNext() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let time = ManualTime()
        let client = try Client.make(server, recorder: recorder, clock: time)
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        client.vad.stop()
        try await eventually("the recorder was told") { recorder.calls == [.start, .stop] }
        time.advance(by: .seconds(2))
        recorder.endTail()
        XCTAssertFalse(client.vad.isListening)
        client.vad.start()
        try await eventually("it records again") { recorder.calls == [.start, .stop, .start] && recorder.isRecording }
        client.vad.stop()
        time.advance(by: .seconds(2))
        XCTAssertTrue(client.vad.isListening)
        time.advance(by: .milliseconds(500))
        XCTAssertFalse(client.vad.isListening)
    }

    func testTheHostsOwnStartsAreRefusedMeanwhileAndWorkAfterwards() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        do {
            _ = try await client.start()
            XCTFail("started")
        } catch let failure as Failure { XCTAssertEqual(failure.code, .busy) }
        client.vad.stop()
        try await eventually("it is over") { !client.vad.isListening }
        _ = try await client.start()
        recorder.capture(Self.quiet)
        let context = try await client.stop()
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [960])
        XCTAssertEqual(context.segments, [])
    }

    func testTheHostsStopEndsTheContextAndListeningGoesOn() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        capture(recorder, Self.loud, 5)
        _ = try await client.stop()
        XCTAssertTrue(client.vad.isListening)
        XCTAssertTrue(recorder.isRecording)
        capture(recorder, Self.loud, 5)
        capture(recorder, Self.quiet, 120)
        capture(recorder, Self.loud, 5)
        client.vad.stop()
        try await server.received("both contexts") { $0.contexts.filter(\.isStopped).count == 2 }
        XCTAssertEqual(server.received.contexts.first?.audio.count, 5 * 960)
    }

    func testItWaitsForAContextOfTheHost() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let client = try Client.make(server, recorder: recorder)
        _ = try await client.start()
        recorder.capture(Self.quiet)
        client.stopContext()
        client.vad.start()
        recorder.capture(Self.quiet)
        try await eventually("the stop") { recorder.calls == [.start, .stop] }
        recorder.endTail()
        try await eventually("the detector records") { recorder.calls == [.start, .stop, .start] }
        capture(recorder, Self.loud, 10)
        client.vad.stop()
        try await eventually("the second stop") { recorder.calls.count == 4 }
        recorder.endTail()
        try await server.received("both contexts") { $0.contexts.filter(\.isStopped).count == 2 }
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [2 * 960, 10 * 960])
    }

    func testSuspendEndsItAndStartAfterStopDuringTheTailIsANewListening() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let client = try Client.make(server, recorder: recorder)
        let events = EventLog(client)
        client.vad.start()
        try await eventually("the recorder records") { recorder.isRecording }
        client.vad.stop()
        client.vad.start()
        try await eventually("the recorder was told") { recorder.calls == [.start, .stop] }
        recorder.endTail()
        try await eventually("it records again") { recorder.calls == [.start, .stop, .start] && recorder.isRecording }
        capture(recorder, Self.loud, 10)
        client.suspend()
        XCTAssertFalse(client.vad.isListening)
        try await eventually("the recorder is off") { !recorder.isRecording }
        try await eventually("the events") { events.speech == [true, false] }
        try client.resume()
        XCTAssertFalse(client.vad.isListening)
    }

    func testAContextOfTheHostIsObservedIfAsked() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        let events = EventLog(client)
        client.vad.isEnabled = true
        _ = try await client.start()
        capture(recorder, Self.loud, 10)
        _ = try await client.stop()
        try await eventually("the events") { events.speech == [true, false] }
        XCTAssertEqual(server.received.contexts.map(\.audio.count), [10 * 960])
    }

    func testALostMicrophoneStopsTheContextAndOneThatIsBackStartsAnother() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        let events = EventLog(client)
        client.startContext(appId: nil, options: ContextOptions(vocabulary: ["kept"]))
        recorder.capture([1, 2])
        let error = AudioRecorder.AudioRecorderError.deviceLost(device: "hw:1", reason: "No such device")
        client.audioRecorderDidChangeAvailability(recorder, isAvailable: false)
        recorder.fail(error)
        recorder.endTail()
        try await log.wait(for: "the end") { $0.contains(.stopped) }
        XCTAssertEqual(
            log.callbacks.errors, [.audioError("the microphone failed: hw:1: stopped working: No such device")])
        client.audioRecorderDidChangeAvailability(recorder, isAvailable: true)
        client.audioRecorderDidRestart(recorder)
        recorder.capture([3, 4])
        client.stopContext()
        try await log.wait(for: "the second end") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(server.received.contexts.map(\.audio), [[1, 2], [3, 4]])
        XCTAssertEqual(server.received.contexts.map { $0.option("vocabulary") }, [["kept"], ["kept"]])
        XCTAssertEqual(recorder.calls, [.start, .stop])
        try await eventually("the events") { events.availability == [false, true] }
    }

    func testLostAudioIsCountedAndReported() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        XCTAssertEqual(client.lostAudio, LostAudio())
        client.audioRecorderDidLoseAudio(recorder, seconds: 0.25)
        client.audioRecorderDidLoseAudio(recorder, seconds: 1)
        XCTAssertEqual(client.lostAudio, LostAudio(gaps: 2, duration: .milliseconds(1_250)))
        // A recorder of another kind may say anything.
        for seconds: TimeInterval in [-1, .infinity, -TimeInterval.infinity, .nan] {
            client.audioRecorderDidLoseAudio(recorder, seconds: seconds)
        }
        XCTAssertEqual(client.lostAudio.gaps, 6)
        try await log.wait(for: "the failures") { $0.errors.count == 6 }
    }

    func testWarningsAndLevelsReachDelegateAndSequences() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        let meter = Meter()
        client.delegate = meter
        var events = client.events.makeAsyncIterator()
        var levels = client.levels.makeAsyncIterator()
        client.audioRecorderDidWarn(recorder, warning: .clipping)
        client.audioRecorderDidMeasureLevel(recorder, level: AudioLevel(rms: -20, peak: -10))
        let event = await events.next()
        XCTAssertEqual(event, .warning(.clipping))
        let level = await levels.next()
        XCTAssertEqual(level, AudioLevel(rms: -20, peak: -10))
        try await eventually("the callbacks") {
            meter.seen == ["\(AudioRecorderWarning.clipping)", "\(AudioLevel(rms: -20, peak: -10))"]
        }
    }
}

/// What a client's events say of speech and of the microphone.
private final class EventLog: Sendable {
    private let events = Locked<[ClientEvent]>([])

    init(_ client: Client) {
        let stream = client.events
        Task { [events] in
            for await event in stream { events.withLock { $0.append(event) } }
        }
    }

    var speech: [Bool] {
        events.withLock { $0 }.compactMap { $0 == .speechStarted ? true : $0 == .speechEnded ? false : nil }
    }

    var availability: [Bool] {
        events.withLock { $0 }.compactMap { if case .availabilityChanged(let value) = $0 { value } else { nil } }
    }
}

private final class Meter: SpeechlyDelegate, Sendable {
    private let log = Locked<[String]>([])
    var seen: [String] { log.withLock { $0 } }
    func speechlyClientDidWarn(_ client: SpeechlyProtocol, warning: AudioRecorderWarning) {
        log.withLock { $0.append("\(warning)") }
    }
    func speechlyClientDidMeasureLevel(_ client: SpeechlyProtocol, level: AudioLevel) {
        log.withLock { $0.append("\(level)") }
    }
}
