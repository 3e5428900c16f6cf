import Foundation
import Speechly
import SpeechlyService
import TestSupport
import XCTest

/// The whole way in real time: speaker, microphone, client, service, segment.
final class RealTimeMicrophoneTests: XCTestCase {
    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    private func sandbox() throws -> PulseSandbox {
        do { return try PulseSandbox() } catch {
            print("SKIPPED: \(error)")
            throw XCTSkip("\(error)")
        }
    }

    private func words(_ segment: Segment) -> String { segment.transcripts.map(\.value).joined(separator: " ") }

    func testWhatIsPlayedIsHeardAsItsSegment() async throws {
        let pulse = try sandbox()
        let configuration = try SpeechCase.configuration()
        for name in ["show-me-all-python-repos.slt.wav", "show-me-go-repositories.rms.wav"] {
            let item = try XCTUnwrap(try SpeechCase.all().first { $0.file == name })
            var client = ClientConfiguration()
            client.device = pulse.microphone
            let embedded = try Client(embedded: configuration, configuration: client)
            _ = try await embedded.start()
            try pulse.play(TestCases.url("speech/\(name)"))
            let context = try await embedded.stop()
            let segment = try XCTUnwrap(context.segments.first, name)
            XCTAssertEqual(words(segment), item.text)
            XCTAssertEqual(segment.intent.value, item.intent)
            XCTAssertEqual(segment.entities.map(\.value), item.entities.map(\.value))
        }
    }

    func testWhatIsSaidWhileLoggingInTakesTwoSecondsIsHeard() async throws {
        let pulse = try sandbox()
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[0]
        let recorder = try AudioRecorder(sampleRate: 16_000, channels: 1, device: pulse.microphone)
        let client = try Client(
            appId: UUID(uuidString: ServiceHarness.appId), prepareOnInit: false,
            sluClient: SluClient(channel: harness.channel, delegateQueue: .global()),
            identityClient: SlowIdentity(IdentityClient(channel: harness.channel)),
            cache: UserDefaultsCache(storage: UserDefaults()), audioRecorder: recorder,
            delegateDispatchQueue: .global())
        client.startContext()
        try pulse.play(TestCases.url("speech/\(item.file)"))
        let context = try await client.stop()
        XCTAssertEqual(context.segments.map(words), [item.text])
        XCTAssertEqual(context.segments.first?.intent.value, item.intent)
    }
}

/// Logs in two seconds late.
private final class SlowIdentity: IdentityClientProtocol {
    private let base: IdentityClient

    init(_ base: IdentityClient) { self.base = base }

    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await Task.sleep(for: .seconds(2))
        return try await base.authenticate(appId: appId, deviceId: deviceId)
    }

    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await Task.sleep(for: .seconds(2))
        return try await base.authenticateProject(projectId: projectId, deviceId: deviceId)
    }
}
