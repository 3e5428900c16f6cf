import SpeechlyGRPC
import SpeechlyProto
import XCTest

@testable import SpeechlyTesting

final class RecorderTests: XCTestCase {
    private let login = Received.Login(request: LoginRequest(deviceId: "d"), metadata: [:])

    func testReturnsAtOnceWhatIsThereAlready() async throws {
        let recorder = Recorder()
        recorder.update { $0.logins.append(login) }
        let received = try await recorder.wait(for: "a login", timeout: .seconds(20)) { $0.logins.count == 1 }
        XCTAssertEqual(received.logins.count, 1)
    }

    func testWakesWhenTheConditionIsMet() async throws {
        let recorder = Recorder()
        async let two = recorder.wait(for: "two logins", timeout: .seconds(20)) { $0.logins.count == 2 }
        recorder.update { $0.logins.append(login) }
        recorder.update { $0.logins.append(login) }
        let received = try await two
        XCTAssertEqual(received.logins.count, 2)
    }

    func testSaysWhatWasMissingAndWhatWasThere() async {
        let recorder = Recorder()
        recorder.update { $0.streams.append(Received.Stream(metadata: [:])) }
        recorder.update { $0.streams[0].messages = [.config, .audio(3200)] }
        do {
            _ = try await recorder.wait(for: "the stop", timeout: .milliseconds(1)) { _ in false }
            XCTFail("nothing was there to wait for")
        } catch {
            let text = "\(error)"
            XCTAssertTrue(text.contains("waiting for the stop"), text)
            XCTAssertTrue(text.contains("config"), text)
            XCTAssertTrue(text.contains("3200"), text)
        }
    }

    func testEndsWithItsTask() async {
        let recorder = Recorder()
        let task = Task { try await recorder.wait(for: "nothing", timeout: .seconds(600)) { _ in false } }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }
}
