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
