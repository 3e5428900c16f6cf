import Foundation
import Speechly
import SpeechlySync

/// A recorder that does what a test says.
final class FakeRecorder: AudioRecorderProtocol, Sendable {
    struct NoMicrophone: Error, CustomStringConvertible {
        let description = "no such device"
    }

    enum Call: Equatable {
        case start, stop, suspend, resume
    }

    private struct State {
        weak var delegate: AudioRecorderDelegate?
        var calls: [Call] = []
        var isRecording = false
        var isInTail = false
        var startError: (any Error)?
        var resumeError: (any Error)?
    }

    /// Whether `stop` ends the recording at once; otherwise the test ends the tail.
    let endsTailAtOnce: Bool
    let sampleRate: Double = 16000
    let channels: UInt32 = 1
    private let state = Locked(State())

    init(endsTailAtOnce: Bool = true, startError: (any Error)? = nil, resumeError: (any Error)? = nil) {
        self.endsTailAtOnce = endsTailAtOnce
        state.withLock { state in
            state.startError = startError
            state.resumeError = resumeError
        }
    }

    var delegate: AudioRecorderDelegate? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var isRecording: Bool { state.withLock { $0.isRecording } }

    func start() throws {
        let endsOld = try state.withLock { state in
            if let error = state.startError { throw error }
            defer {
                state.isRecording = true
                state.isInTail = false
            }
            return state.isInTail
        }
        if endsOld { delegate?.audioRecorderDidStop(self) }
        // Last, so that whoever sees the call knows that the old recording has been reported.
        state.withLock { $0.calls.append(.start) }
    }

    func stop() {
        let ends = state.withLock { state in
            state.calls.append(.stop)
            guard state.isRecording else { return false }
            state.isInTail = true
            return endsTailAtOnce
        }
        if ends { endTail() }
    }

    func suspend() throws {
        let ends = state.withLock { state in
            state.calls.append(.suspend)
            defer {
                state.isRecording = false
                state.isInTail = false
            }
            return state.isRecording
        }
        if ends { delegate?.audioRecorderDidStop(self) }
    }

    func resume() throws {
        try state.withLock { state in
            state.calls.append(.resume)
            if let error = state.resumeError { throw error }
        }
    }

    /// Delivers captured audio.
    func capture(_ bytes: [UInt8]) {
        delegate?.audioRecorderDidReceiveData(self, audioData: Data(bytes))
    }

    /// Ends the recording.
    func endTail() {
        state.withLock { state in
            state.isRecording = false
            state.isInTail = false
        }
        delegate?.audioRecorderDidStop(self)
    }

    func fail(_ error: any Error) {
        delegate?.audioRecorderDidCatchError(self, error: error)
    }
}
