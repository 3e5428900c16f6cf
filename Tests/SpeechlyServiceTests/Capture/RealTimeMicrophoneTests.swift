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

    /// Does something whose audio must be whole, again if the recorder reports that some was lost: on a machine so busy
    /// that a sound server's twenty seconds are too few, that is not the recorder's fault, and it has said so.
    private func untilWhole(_ attempt: () async throws -> (lost: LostAudio, check: () throws -> Void)) async throws {
        for _ in 0..<4 {
            let (lost, check) = try await attempt()
            if lost.gaps == 0 { return try check() }
            print("audio was lost, and reported: \(lost)")
        }
        XCTFail("audio is lost each time")
    }

    /// Waits until audio comes from the microphone: of what is played before that nothing can be known.
    private func untilAudioComes(_ levels: AsyncStream<AudioLevel>) async { for await _ in levels { return } }

    func testWhatIsPlayedIsHeardAsItsSegment() async throws {
        let pulse = try sandbox()
        let configuration = try SpeechCase.configuration()
        for name in ["show-me-all-python-repos.slt.wav", "show-me-go-repositories.rms.wav"] {
            let item = try XCTUnwrap(try SpeechCase.all().first { $0.file == name })
            try await untilWhole {
                var client = ClientConfiguration()
                client.device = pulse.microphone
                let embedded = try Client(embedded: configuration, configuration: client)
                let levels = embedded.levels
                _ = try await embedded.start()
                await untilAudioComes(levels)
                try pulse.play(TestCases.url("speech/\(name)"))
                let context = try await embedded.stop()
                return (
                    embedded.lostAudio,
                    {
                        let segment = try XCTUnwrap(context.segments.first, name)
                        XCTAssertEqual(self.words(segment), item.text)
                        XCTAssertEqual(segment.intent.value, item.intent)
                        XCTAssertEqual(segment.entities.map(\.value), item.entities.map(\.value))
                    }
                )
            }
        }
    }

    func testWhatIsSaidBeforeTheLoginIsDoneIsHeard() async throws {
        let pulse = try sandbox()
        let harness = try ServiceHarness(SpeechCase.configuration())
        let item = try SpeechCase.all()[0]
        try await untilWhole {
            let recorder = try AudioRecorder(sampleRate: 16_000, channels: 1, device: pulse.microphone)
            let levels = recorder.levels
            let identity = HeldIdentity(IdentityClient(channel: harness.channel))
            let client = try Client(
                appId: UUID(uuidString: ServiceHarness.appId), prepareOnInit: false,
                sluClient: SluClient(channel: harness.channel, delegateQueue: .global()),
                identityClient: identity, cache: UserDefaultsCache(storage: UserDefaults()), audioRecorder: recorder,
                delegateDispatchQueue: .global())
            client.startContext()
            await untilAudioComes(levels)
            // All of it, and two seconds at least.
            let start = ContinuousClock.now
            try pulse.play(TestCases.url("speech/\(item.file)"))
            try await Task.sleep(until: start + .seconds(2))
            identity.letGo()
            let context = try await client.stop()
            return (
                client.lostAudio,
                {
                    XCTAssertEqual(context.segments.map(self.words), [item.text])
                    XCTAssertEqual(context.segments.first?.intent.value, item.intent)
                }
            )
        }
    }
}

/// Logs in once it is let go.
private final class HeldIdentity: IdentityClientProtocol {
    private let base: IdentityClient
    private let isOver: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    init(_ base: IdentityClient) {
        self.base = base
        (isOver, end) = AsyncStream.makeStream()
    }

    func letGo() { end.finish() }

    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        for await _ in isOver {}
        return try await base.authenticate(appId: appId, deviceId: deviceId)
    }

    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        for await _ in isOver {}
        return try await base.authenticateProject(projectId: projectId, deviceId: deviceId)
    }
}
