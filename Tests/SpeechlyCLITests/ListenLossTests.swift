import Foundation
import Speechly
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import SpeechlyCLI

/// What `speechly listen` says in the end about audio that was lost.
final class ListenLossTests: XCTestCase {
    private func listen(gaps: [TimeInterval]) async throws -> (status: ExitStatus, errors: [String]) {
        let server = try MockSpeechlyServer()
        let address = server.address.description
        let recorder = LossyRecorder(gaps)
        let client = try Client(
            appId: UUID(), prepareOnInit: false, sluClient: SluClient(addr: address, delegateQueue: .global()),
            identityClient: IdentityClient(addr: address), cache: UserDefaultsCache(storage: UserDefaults()),
            audioRecorder: recorder, delegateDispatchQueue: DispatchQueue(label: "test.delegate"))
        let (output, error) = (Pipe(), Pipe())
        let session = ListenSession(
            client: client, appId: nil, options: .init(), device: "mic", usesDetector: false, showsMeter: false,
            output: StandardStream(descriptor: output.fileHandleForWriting.fileDescriptor),
            error: StandardStream(descriptor: error.fileHandleForWriting.fileDescriptor))
        recorder.onStarted { session.stop() }
        let status = try await session.run(ListenTranscript(showsPartial: false, columns: nil))
        try error.fileHandleForWriting.close()
        let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (status, text.split(separator: "\n").map(String.init))
    }

    func testTheSumOfAllGapsIsTheLastLine() async throws {
        let (status, errors) = try await listen(gaps: [0.5, 0.5, 0.25])
        XCTAssertEqual(status, .done)
        // The same thing is not said twice, and the sum is of all.
        XCTAssertEqual(errors.count, 3, "\(errors)")
        XCTAssertEqual(errors.last, "speechly: mic: audio was lost: 3 gaps, 1.250 s in all")
    }

    func testOneGapIsOne() async throws {
        let (_, errors) = try await listen(gaps: [0.5])
        XCTAssertEqual(errors.last, "speechly: mic: audio was lost: 1 gap, 0.500 s in all")
    }

    func testNothingIsSaidWhereNothingWasLost() async throws {
        let (status, errors) = try await listen(gaps: [])
        XCTAssertEqual(status, .done)
        XCTAssertEqual(errors, [])
    }
}

/// A recorder that loses audio as soon as it is started.
private final class LossyRecorder: AudioRecorderProtocol, Sendable {
    private struct State {
        weak var delegate: AudioRecorderDelegate?
        var onStarted: (@Sendable () -> Void)?
    }

    private let gaps: [TimeInterval]
    private let state = Locked(State())
    let sampleRate = 16_000.0
    let channels: UInt32 = 1

    init(_ gaps: [TimeInterval]) { self.gaps = gaps }

    var delegate: AudioRecorderDelegate? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    func onStarted(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onStarted = body } }

    func start() throws {
        let (delegate, onStarted) = state.withLock { ($0.delegate, $0.onStarted) }
        delegate?.audioRecorderDidReceiveData(self, audioData: Data(count: 960))
        for gap in gaps { delegate?.audioRecorderDidLoseAudio(self, seconds: gap) }
        onStarted?()
    }

    func stop() { delegate?.audioRecorderDidStop(self) }
    func suspend() throws {}
    func resume() throws {}
}
