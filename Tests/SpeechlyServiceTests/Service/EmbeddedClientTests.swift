import Speechly
import SpeechlyService
import TestSupport
import XCTest

/// The client with a service of its own, on a machine without sound.
final class EmbeddedClientTests: XCTestCase {
    func testTranscribesEveryRecording() async throws {
        let client = try Client(embedded: SpeechCase.configuration())
        for item in try SpeechCase.all() {
            let file = try AudioFile(path: TestCases.url("speech/\(item.file)").path)
            let context = try await client.transcribe(file)
            XCTAssertEqual(context.segments.count, 1, item.file)
            let segment = try XCTUnwrap(context.segments.first, item.file)
            XCTAssertEqual(segment.transcripts.map(\.value).joined(separator: " "), item.text)
            XCTAssertEqual(segment.intent.value, item.intent)
            XCTAssertEqual(segment.entities.map(\.value), item.entities.map(\.value))
            XCTAssertTrue(segment.isFinal)
        }
    }

    func testManyClientsComeAndGo() async throws {
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let before = try Set(FileManager.default.contentsOfDirectory(atPath: temporary))
        let item = try SpeechCase.all()[5]
        for _ in 0..<3 {
            let client = try Client(embedded: SpeechCase.configuration())
            let context = try await client.transcribe(AudioFile(path: TestCases.url("speech/\(item.file)").path))
            XCTAssertEqual(context.segments.first?.intent.value, item.intent)
        }
        // The last references go on threads of the transport.
        let deadline = ContinuousClock.now + .seconds(30)
        var left: Set<String> = []
        repeat {
            left = try Set(FileManager.default.contentsOfDirectory(atPath: temporary)).subtracting(before)
                .filter { FileManager.default.fileExists(atPath: "\(temporary)/\($0)/socket") }
            await Task.yield()
        } while !left.isEmpty && ContinuousClock.now < deadline
        XCTAssertEqual(left, [])
    }
}
