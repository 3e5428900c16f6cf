import Foundation
import Speechly
import SpeechlyTesting
import XCTest

/// A manager as hosts of the original client have it, its views left out: a plain class, not `Sendable`.
class SpeechlyManager: SpeechlyDelegate {
    let client: Speechly.Client
    var transcripts: [String] = []

    init(appId: UUID, identityAddr: String, sluAddr: String) {
        // swift-format-ignore: NeverUseForceTry
        client = try! Speechly.Client(
            appId: appId, prepareOnInit: false, identityAddr: identityAddr, sluAddr: sluAddr)
        client.delegate = self
    }

    func start() {
        client.startContext()
        client.startContext(appId: "app")
    }

    func stop() { client.stopContext() }

    func background() throws {
        client.suspend()
        try client.resume()
    }

    func speechlyClientDidStartContext(_: SpeechlyProtocol) {}
    func speechlyClientDidStopContext(_: SpeechlyProtocol) {}

    func speechlyClientDidUpdateSegment(_ speechlyClient: SpeechlyProtocol, segment: Segment) {
        transcripts = segment.transcripts.map(\.value)
        if segment.isFinal, segment.intent.value == "book" { speechlyClient.stopContext() }
    }

    func speechlyClientDidCatchError(_: SpeechlyProtocol, error: SpeechlyError) {
        switch error {
        case .networkError(let text), .audioError(let text), .apiError(let text), .parseError(let text): _ = text
        }
    }
}

/// Mocks as hosts of the original client have them: only what the original's protocols asked for.
private final class HostRecorder: AudioRecorderProtocol {
    weak var delegate: AudioRecorderDelegate?
    var sampleRate: Double = 16000
    var channels: UInt32 = 1
    func start() throws {}
    func stop() { delegate?.audioRecorderDidStop(self) }
    func suspend() throws {}
    func resume() throws {}
}

private final class HostCache: CacheProtocol {
    var values: [String: String] = [:]
    func setValue(_ value: String, forKey: String) { values[forKey] = value }
    func getValue(forKey: String) -> String? { values[forKey] }
}

private struct HostIdentity: IdentityClientProtocol {
    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken { try .made() }
    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken { try .made() }
}

/// An SLU client that plays one context by itself.
private final class HostSluClient: SluClientProtocol, @unchecked Sendable {
    // Sendable: the client under test calls one method at a time.
    weak var delegate: SluClientDelegate?
    func connect(token: ApiAccessToken, config: SluConfig) async throws {}
    func disconnect() async throws {}
    func startContext(appId: String?) async throws {
        delegate?.sluClientDidReceiveContextStart(self, contextId: "c")
    }
    func stopContext() async throws {
        delegate?.sluClientDidReceiveTranscript(
            self, contextId: "c", segmentId: 0, transcript: SLUTranscript(word: "hi"))
        delegate?.sluClientDidReceiveSegmentEnd(self, contextId: "c", segmentId: 0)
        delegate?.sluClientDidReceiveContextStop(self, contextId: "c")
    }
    func suspend() async throws {}
    func resume() async throws {}
    func write(data: Data) async throws {}
}

final class HostSourceTests: XCTestCase {
    func testAManagerOfTheOriginalKindCompilesAndRuns() throws {
        let manager = SpeechlyManager(
            appId: UUID(), identityAddr: "grpc://127.0.0.1:1", sluAddr: "grpc://127.0.0.1:1")
        manager.stop()
        try manager.background()
        XCTAssertEqual(manager.transcripts, [])
    }

    func testPartsOfTheOriginalKindWorkTogether() async throws {
        let recorder = HostRecorder()
        let log = CallbackLog()
        let client = try Client(
            appId: testAppId, prepareOnInit: true, sluClient: HostSluClient(), identityClient: HostIdentity(),
            cache: HostCache(), audioRecorder: recorder, delegateDispatchQueue: DispatchQueue(label: "host"))
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [])
        XCTAssertEqual(callbacks.segments.last?.transcripts.map(\.value), ["hi"])
        XCTAssertEqual(callbacks.segments.last?.isFinal, true)
    }
}
