import Foundation
import SpeechlyTesting
import TestSupport
import XCTest

@testable import Speechly

/// The microphone is open from the start on, and nothing of its audio is lost.
final class ClientPreRollTests: XCTestCase {
    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    /// Login and connect each take as long as the test says, and what is captured meanwhile waits.
    func testEveryByteFromTheFirstIsSentThoughLoginAndConnectTakeTwoSecondsEach() async throws {
        let clock = ManualClock()
        let identity = try MockSpeechlyServer(logins: [.token().delayed(.seconds(2))], clock: clock)
        let service = try MockSpeechlyServer()
        // Connections are taken, and nothing is said on them.
        service.setStalled(true)
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let cache = MemoryCache()
        let client = try Client.make(identity, recorder: recorder, cache: cache, sluAddress: service.address)
        var captured: [UInt8] = []
        func capture(seconds: Int) {
            for _ in 0..<seconds * 50 {
                // 20 ms, no two alike.
                let first = UInt8(truncatingIfNeeded: captured.count / 640)
                let piece = (0..<640).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ first }
                captured += piece
                recorder.capture(piece)
            }
        }

        client.startContext()
        try await eventually("the recorder was started") { recorder.calls == [.start] }
        capture(seconds: 1)
        await clock.waitForSleepers()
        capture(seconds: 1)
        XCTAssertEqual(cache.contents.count { $0.value.contains(".") }, 0, "nobody has logged in")
        clock.advance(by: .seconds(2))
        try await eventually("the login") { cache.contents.contains { $0.value.contains(".") } }
        capture(seconds: 2)
        XCTAssertEqual(client.state, .connecting)
        XCTAssertEqual(service.received.streams.count, 0, "nothing has come to the service")
        service.setStalled(false)
        try await service.received("what was captured") { [count = captured.count] in
            ($0.contexts.first?.audio.count ?? 0) >= count
        }
        capture(seconds: 1)
        client.stopContext()
        try await eventually("the recorder was told") { recorder.calls == [.start, .stop] }
        capture(seconds: 1)
        recorder.endTail()
        try await service.received("the stop") { $0.contexts.first?.isStopped == true }
        XCTAssertEqual(service.received.contexts.map(\.audio), [captured])
        XCTAssertEqual(service.received.streams.flatMap(\.violations), [])
        XCTAssertEqual(client.lostAudio, LostAudio())
    }

    func testEveryByteFromTheFirstIsSentThoughLoginTakesTwoSeconds() async throws {
        // Two seconds of samples, none of which is zero, so that they can be told from what follows them.
        let samples = (0..<32_000).map { Int16(1 + $0 % 30_000) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("samples.raw")
        let bytes = samples.flatMap { sample in withUnsafeBytes(of: sample.littleEndian) { Array($0) } }
        try Data(bytes).write(to: file)

        let server = try MockSpeechlyServer(logins: [.token().delayed(.seconds(2))])
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, device: ALSASandbox.fileDevice(file), tail: .milliseconds(50))
        let client = try Client.make(server, recorder: recorder)
        _ = try await client.start()
        try await server.received("the samples") { ($0.contexts.first?.audio.count ?? 0) >= bytes.count }
        _ = try await client.stop()
        let audio = try XCTUnwrap(server.received.contexts.first).audio
        XCTAssertEqual(Array(audio.prefix(bytes.count)), bytes)
        XCTAssertTrue(audio.dropFirst(bytes.count).allSatisfy { $0 == 0 })
    }
}
