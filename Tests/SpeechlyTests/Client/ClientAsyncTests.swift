import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// The async face of the client: start and stop, sources, sequences.
final class ClientAsyncTests: XCTestCase {
    func testStartAndStopReturnWhatTheServiceSays() async throws {
        let server = try MockSpeechlyServer(streams: [.hears("show me", intent: "show")])
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        let id = try await client.start()
        let same = try await client.start()
        XCTAssertEqual(id, same)
        recorder.capture([1, 0])
        let context = try await client.stop()
        XCTAssertEqual(context.id, id)
        XCTAssertEqual(context.segments.map(\.intent.value), ["show"])
        XCTAssertTrue(context.segments.allSatisfy(\.isFinal))
    }

    func testStopWithoutAContextIsAnError() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        do {
            _ = try await client.stop()
            XCTFail("no error")
        } catch let failure as Failure { XCTAssertEqual(failure.code, .notListening) }
    }

    func testAFailedStartThrowsItsFailure() async throws {
        let server = try MockSpeechlyServer(logins: [.status(GRPCStatus(code: .notFound, message: "no such app"))])
        let client = try Client.make(server)
        do {
            _ = try await client.start()
            XCTFail("no error")
        } catch let failure as Failure {
            XCTAssertEqual(failure.code, .loginFailed)
            XCTAssertEqual((failure.cause as? GRPCStatus)?.code, .notFound)
        }
    }

    func testACancelledStartStopsTheContext() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript(automatic: false)])
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        let task = Task { try await client.start() }
        try await server.received("the start") { !$0.contexts.isEmpty }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch is CancellationError {}
        try await server.received("the stop") { $0.contexts.first?.isStopped == true }
    }

    /// Tasks share a few threads. One that asks a client again and again, and is refused at once, must not keep the
    /// others from theirs.
    func testCallsThatAreRefusedAtOnceLetOthersRun() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        client.suspend()
        let isOver = Locked(false)
        let rounds = await withTaskGroup(of: Int.self) { group in
            for number in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    var rounds = 0
                    while !isOver.withLock({ $0 }), rounds < 20_000 {
                        rounds += 1
                        switch number % 3 {
                        case 0: _ = try? await client.start()
                        case 1: _ = try? await client.stop()
                        default: _ = try? await client.transcribe(BytesSource(chunks: []))
                        }
                    }
                    return rounds
                }
            }
            group.addTask {
                isOver.withLock { $0 = true }
                return 0
            }
            return await group.reduce(0, max)
        }
        XCTAssertLessThan(rounds, 20_000)
    }

    func testASourceIsSentToItsEnd() async throws {
        let server = try MockSpeechlyServer(streams: [.hears("one two")])
        let client = try Client.make(server)
        let chunks = (0..<50).map { [UInt8](repeating: UInt8($0), count: 3200) }
        let context = try await client.transcribe(BytesSource(chunks: chunks))
        XCTAssertEqual(context.segments.first?.transcripts.map(\.value), ["one", "two"])
        XCTAssertEqual(server.received.contexts.map(\.audio), [chunks.flatMap { $0 }])
    }

    func testASourceWaitsForAServiceThatDoesNotRead() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(.start(), .stopReading, .send(.tentativeIntent("paused")))
                .on(.demand("read"), .resumeReading)
        ])
        let log = CallbackLog()
        let client = try Client.make(server) { $0.contextLimit = nil }
        client.delegate = log
        let chunks = (0..<400).map { _ in [UInt8](repeating: 7, count: 32_000) }
        let source = BytesSource(chunks: chunks)
        let task = Task { try await client.transcribe(source) }
        // Far from all is taken: the transport takes a megabyte or two, then everybody waits.
        try await log.wait(for: "the pause") { !$0.segments.isEmpty }
        try await eventually("the stall") { source.taken > 10 }
        var taken = 0
        while taken != source.taken {
            taken = source.taken
            try await Task.sleep(for: .milliseconds(200))
        }
        XCTAssertLessThan(taken, 300)
        server.trigger("read")
        _ = try await task.value
        XCTAssertEqual(server.received.contexts.first?.audio.count, 400 * 32_000)
    }

    func testASourceThatBreaksThrowsAndEndsTheContext() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        do {
            _ = try await client.transcribe(BytesSource(chunks: [[1, 0]], fails: true))
            XCTFail("no error")
        } catch is BytesSource.Broken {}
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        guard case .audioError? = callbacks.errors.first else { return XCTFail("\(callbacks)") }
    }

    func testASourceOfAnotherRateIsRefused() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        do {
            _ = try await client.transcribe(BytesSource(chunks: [], sampleRate: 8000))
            XCTFail("no error")
        } catch let failure as Failure { XCTAssertEqual(failure.code, .unsupported) }
        XCTAssertEqual(server.received.logins.count, 0)
    }

    func testASourceIsReadOnce() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let source = BytesSource(chunks: [[1, 0]])
        _ = try await client.transcribe(source)
        await assertAlreadyRead { _ = try await client.transcribe(source) }
        XCTAssertEqual(server.received.contexts.count, 1)
    }

    func testASourceIsNotSharedByTwoTranscriptions() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let other = try Client.make(server)
        let push = try PushAudioSource(sampleRate: 16000, channels: 1)
        let task = Task { try await client.transcribe(push) }
        try await server.received("the start") { !$0.contexts.isEmpty }
        await assertAlreadyRead { _ = try await other.transcribe(push) }
        // The first is not disturbed.
        XCTAssertEqual(push.push(Data([1, 0])), .accepted)
        push.finish()
        _ = try await task.value
        XCTAssertEqual(server.received.contexts.map(\.audio), [[1, 0]])
    }

    func testASourceThatItsOwnerHasReadToTheEndIsRefused() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let push = try PushAudioSource(sampleRate: 16000, channels: 1)
        XCTAssertEqual(push.push(Data([1, 0])), .accepted)
        push.finish()
        XCTAssertFalse(push.isAtEnd)
        while try await push.nextChunk() != nil {}
        XCTAssertTrue(push.isAtEnd)
        await assertAlreadyRead { _ = try await client.transcribe(push) }
        XCTAssertEqual(server.received.logins.count, 0)
    }

    private func assertAlreadyRead(_ body: () async throws -> Void, line: UInt = #line) async {
        do {
            try await body()
            XCTFail("no error", line: line)
        } catch let failure as Failure {
            XCTAssertEqual(failure.code, .sourceAlreadyRead, line: line)
            XCTAssertEqual(failure.side, .audio, line: line)
        } catch { XCTFail("\(error)", line: line) }
    }

    func testASourceDuringAMicrophoneContextIsRefused() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        _ = try await client.start()
        do {
            _ = try await client.transcribe(BytesSource(chunks: []))
            XCTFail("no error")
        } catch let failure as Failure { XCTAssertEqual(failure.code, .busy) }
        _ = try await client.stop()
    }

    func testStopContextEndsASource() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let push = try PushAudioSource(sampleRate: 16000, channels: 1)
        let task = Task { try await client.transcribe(push) }
        try await server.received("the start") { !$0.contexts.isEmpty }
        client.stopContext()
        let context = try await task.value
        XCTAssertEqual(context.segments, [])
    }

    func testACancelledTranscriptionStopsSourceAndContext() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        let push = try PushAudioSource(sampleRate: 16000, channels: 1)
        let task = Task { try await client.transcribe(push) }
        try await log.wait(for: "the start") { $0.contains(.started) }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch is CancellationError {}
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(log.errors, [])
    }

    func testEventsTellTheWholeStoryInOrder() async throws {
        let server = try MockSpeechlyServer(streams: [.hears("hello", intent: "greet")])
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder)
        let events = client.events
        let segments = client.segments
        let id = try await client.start()
        recorder.capture([1, 0])
        let context = try await client.stop()
        var story: [ClientEvent] = []
        for await event in events {
            story.append(event)
            if case .contextStopped = event { break }
        }
        XCTAssertEqual(
            Array(story.prefix(2)),
            [
                .stateChanged(ClientStateChange(state: .connecting, reason: .requested)),
                .contextStarted(contextId: id),
            ])
        XCTAssertEqual(story.last, .contextStopped(context))
        let updates = story.compactMap { event -> Segment? in
            if case .segmentUpdated(let segment) = event { return segment }
            return nil
        }
        XCTAssertEqual(updates.last, context.segments.first)
        var seen: [Segment] = []
        for await segment in segments {
            seen.append(segment)
            if segment.isFinal { break }
        }
        XCTAssertEqual(seen, updates)
        let final = Transcript(index: 0, value: "hello", startOffset: 0, endOffset: 0, isFinal: true)
        XCTAssertTrue(
            story.contains {
                if case .transcript(id, 0, let word) = $0 { return word.value == final.value && word.isFinal }
                return false
            })
    }

    func testSequencesEndWithTheClient() async throws {
        let server = try MockSpeechlyServer()
        var client: Client? = try Client.make(server)
        let events = try XCTUnwrap(client?.events)
        client = nil
        for await event in events { XCTFail("\(event)") }
    }
}
