import Foundation
import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

final class ServiceMonitorTests: XCTestCase {
    func testAnEntryIsOneLineOfJSONWhateverIsInIt() throws {
        let text = "a\"b\\c\n\u{1}\u{7f}é😀"
        let entry = ServiceLog.Entry(
            level: .warning, event: "e",
            fields: [("text", .text(text)), ("number", .number(1.25)), ("nan", .number(.nan))],
            time: Date(timeIntervalSince1970: 1_709_210_096.005))
        XCTAssertFalse(entry.json.contains("\n"))
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(entry.json.utf8)) as? [String: Any])
        XCTAssertEqual(object["time"] as? String, "2024-02-29T12:34:56.005Z")
        XCTAssertEqual(object["level"] as? String, "warning")
        XCTAssertEqual(object["text"] as? String, text)
        XCTAssertEqual(object["number"] as? Double, 1.25)
        XCTAssertTrue(object["nan"] is NSNull)
    }

    func testCountersAndLogTellWhatHappenedAndNoSecret() async throws {
        let entries = Locked<[ServiceLog.Entry]>([])
        var configuration = ServiceConfiguration()
        configuration.recognizer = RecognizerProvider { _ in ScriptedRecognizer(script: ["show", "go"]) }
        configuration.log = ServiceLog(level: .debug) { entry in entries.withLock { $0.append(entry) } }
        let harness = try ServiceHarness(configuration)
        let login = try await harness.login(
            LoginRequest(
                deviceId: ServiceHarness.deviceId, scope: .application(ApplicationScope(appId: ServiceHarness.appId))))
        _ = try? await harness.login(LoginRequest(deviceId: "x"))
        let refused = try harness.stream(token: "a.b.c")
        _ = await refused.collect()
        let stream = try harness.stream(token: login.token)
        try await stream.configure()
        try await stream.sendContext([Int16](repeating: 0, count: 16_000))
        stream.closeSend()
        let (_, status) = await stream.collect()
        XCTAssertEqual(status, .ok)
        let _: WLUResponse = try await harness.unary(
            "/speechly.slu.v1.WLU/Text", WLURequest(languageCode: "en-US", text: "secret words"), token: login.token)
        let text = harness.service.metrics
        for line in [
            "speechly_logins_total{code=\"OK\"} 1", "speechly_logins_total{code=\"INVALID_ARGUMENT\"} 1",
            "speechly_tokens_refused_total{reason=\"malformed\"} 1", "speechly_streams_total 1",
            "speechly_streams_ended_total{code=\"OK\"} 1", "speechly_contexts_total 1",
            "speechly_contexts_finished_total 1", "speechly_segments_total 1", "speechly_audio_seconds_total 1",
            "speechly_texts_total 1", "# TYPE speechly_streams_open gauge",
        ] { XCTAssertTrue(text.contains(line + "\n"), "\(line)\n\(text)") }
        let log = entries.withLock { $0.map(\.json).joined(separator: "\n") }
        for event in ["listening", "login_refused", "token_refused", "context_finished", "stream_ended"] {
            XCTAssertTrue(log.contains("\"event\":\"\(event)\""), "\(event)\n\(log)")
        }
        for secret in [login.token, "a.b.c", "secret words", "show go"] { XCTAssertFalse(log.contains(secret), log) }
    }
}
