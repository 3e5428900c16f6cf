import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Streams that break within a context: what the host sees, and what the service gets.
final class ClientResumeTests: XCTestCase {
    private let wordBytes = 3200

    /// The audio of a word that a dictating server hears as `w` and the number.
    private func word(_ number: Int) -> [UInt8] {
        [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: 0x11, count: wordBytes - 2)
    }

    func testAContextOutlivesItsConnectionAndNoWordIsLostOrDoubled() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 3))
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        for number in 0..<40 {
            recorder.capture(word(number))
            if number % 8 == 5 {
                try await log.wait(for: "word \(number)") { $0.finalWords.last?.value == "w\(number)" }
                server.dropConnections()
            }
        }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [])
        XCTAssertEqual(callbacks.count(of: .started), 1)
        XCTAssertEqual(callbacks.finalWords.map(\.value), (0..<40).map { "w\($0)" })
        for (number, word) in callbacks.finalWords.enumerated() {
            XCTAssertEqual(word.startOffset, Double(number) * 0.1, accuracy: 0.0011)
        }
        XCTAssertGreaterThan(server.received.streams.count, 5)
        let final = callbacks.segments.filter(\.isFinal)
        XCTAssertEqual(final.flatMap(\.transcripts).map(\.value), (0..<40).map { "w\($0)" })
        XCTAssertEqual(final.map(\.segmentId), Array(0..<final.count))
        XCTAssertEqual(Set(final.map(\.contextId)).count, 1)
        XCTAssertEqual(server.received.streams.flatMap(\.violations), [])
    }

    func testAFileOutlivesItsConnections() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 5))
        let client = try Client.make(server)
        let source = BytesSource(chunks: (0..<400).map(word))
        let breaker = Task {
            for count in 1...6 {
                try await server.received("stream \(count)") { $0.streams.count >= count }
                let bytes = server.received.contexts.reduce(0) { $0 + $1.audio.count }
                try await server.received("more") { $0.contexts.reduce(0) { $0 + $1.audio.count } > bytes + 32_000 }
                server.dropConnections()
            }
        }
        let context = try await client.transcribe(source)
        breaker.cancel()
        XCTAssertEqual(
            context.segments.flatMap(\.transcripts).map(\.value), (0..<400).map { "w\($0)" })
    }

    func testAContextWhoseServiceStaysAwayEndsInOneErrorThatSaysWhatIsLost() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 2))
        let time = ManualTime()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, clock: time) { $0.maximumReconnects = 3 }
        client.delegate = log
        let events = client.events
        client.startContext()
        for number in 0..<5 { recorder.capture(word(number)) }
        try await log.wait(for: "the words") {
            $0.finalWords.count == 5 && $0.segments.filter(\.isFinal).count == 2
        }
        server.setAcceptsConnections(false)
        server.dropConnections()
        try await eventually("the stop") {
            time.advance(by: .milliseconds(100))
            return log.callbacks.contains(.stopped)
        }
        XCTAssertEqual(log.errors.count, 1)
        var failure: Failure?
        for await event in events {
            if case .failure(let found) = event { failure = found }
            if case .contextStopped = event { break }
        }
        // Two segments of two words are final; the fifth word is in none.
        XCTAssertEqual(failure?.lostSpan, 0.4..<0.5)
        XCTAssertTrue(
            failure.map { "\($0)".contains("speech from 0.4 s to 0.5 s is lost") } ?? false, "\(failure as Any)")
        server.setAcceptsConnections(true)
        client.startContext()
        try await log.wait(for: "the next start") { $0.count(of: .started) == 2 }
    }

    func testMoreAudioThanIsKeptEndsInOneErrorThatSaysWhatIsLost() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 2))
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder) {
            $0.replayedAudio = .milliseconds(500)
            $0.maximumReconnects = 1_000_000
        }
        client.delegate = log
        client.startContext()
        for number in 0..<2 { recorder.capture(word(number)) }
        try await log.wait(for: "the words") { $0.segments.contains(where: \.isFinal) }
        server.setAcceptsConnections(false)
        server.dropConnections()
        for number in 2..<20 { recorder.capture(word(number)) }
        try await eventually("more audio than is kept, or the loss noticed") {
            recorder.capture([0, 0])
            return log.callbacks.contains(.stopped)
        }
        XCTAssertEqual(log.errors.count, 1)
        guard case .networkError(let text)? = log.errors.first else { return XCTFail("\(log.errors)") }
        XCTAssertTrue(text.contains("speech from 0.2 s"), text)
    }

    func testAContextThatNearsTheServicesLimitGoesOnInAnotherUnseen() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 3))
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder) { $0.contextLimit = .seconds(1) }
        client.delegate = log
        client.startContext()
        for number in 0..<60 {
            recorder.capture(word(number))
            try await log.wait(for: "word \(number)") { $0.finalWords.last?.value == "w\(number)" }
        }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [])
        XCTAssertEqual(callbacks.count(of: .started), 1)
        XCTAssertEqual(callbacks.finalWords.map(\.value), (0..<60).map { "w\($0)" })
        let final = callbacks.segments.filter(\.isFinal)
        XCTAssertEqual(final.flatMap(\.transcripts).map(\.value), (0..<60).map { "w\($0)" })
        XCTAssertEqual(server.received.streams.count, 1)
        XCTAssertGreaterThan(server.received.contexts.count, 5)
        XCTAssertTrue(server.received.contexts.allSatisfy { $0.audio.count <= 32_000 })
    }

    func testAStoppedContextIsNotTakenUpAgain() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes))
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        client.startContext()
        recorder.capture(word(1))
        try await log.wait(for: "the word") { $0.finalWords.count == 1 }
        server.setAcceptsConnections(false)
        server.dropConnections()
        client.suspend()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        let streams = server.received.streams.count
        server.setAcceptsConnections(true)
        try client.resume()
        client.startContext()
        recorder.capture(word(2))
        client.stopContext()
        try await log.wait(for: "the second stop") { $0.count(of: .stopped) == 2 }
        XCTAssertEqual(server.received.streams.count, streams + 1)
        XCTAssertEqual(server.received.streams.last?.contexts.map(\.audio), [word(2)])
    }
}
