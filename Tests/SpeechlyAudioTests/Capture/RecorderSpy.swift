import Foundation
import SpeechlyAudio
import SpeechlySync
import XCTest

/// A recorder's delegate that keeps what it is told, and lets tests wait for it.
final class RecorderSpy: AudioRecorderDelegate, Sendable {
    enum Call: Equatable {
        case audio(Int)
        case lost
        case failed(String)
        case stopped
        case available(Bool)
        case restarted
        case warned(AudioRecorderWarning)
    }

    private struct State {
        var calls: [Call] = []
        /// The audio of each recording.
        var recordings: [Data] = [Data()]
        var chunks: [Int] = []
        var losses: [TimeInterval] = []
        var levels: [AudioLevel] = []
        var waiters: [(condition: @Sendable ([Call], [Data]) -> Bool, expectation: XCTestExpectation)] = []
    }

    private let state = Locked(State())

    var calls: [Call] { state.withLock { $0.calls } }
    /// The audio of the recordings that were stopped.
    var recordings: [Data] { state.withLock { Array($0.recordings.dropLast()) } }
    /// How much audio came in all.
    var byteCount: Int { state.withLock { $0.recordings.reduce(0) { $0 + $1.count } } }
    var chunkSizes: [Int] { state.withLock { $0.chunks } }
    /// How much was missing, in seconds, each time.
    var losses: [TimeInterval] { state.withLock { $0.losses } }
    var levels: [AudioLevel] { state.withLock { $0.levels } }
    var stopCount: Int { state.withLock { $0.recordings.count - 1 } }

    /// An expectation that is met once `condition` holds for what came so far; the last recording may be unfinished.
    func expectation(
        _ description: String, _ condition: @escaping @Sendable ([Call], [Data]) -> Bool
    ) -> XCTestExpectation {
        let expectation = XCTestExpectation(description: description)
        state.withLock { state in
            state.waiters.append((condition, expectation))
            Self.wake(&state)
        }
        return expectation
    }

    /// An expectation that is met once a call has come.
    func call(_ call: Call) -> XCTestExpectation { expectation("\(call)") { calls, _ in calls.contains(call) } }

    /// An expectation that is met after so many recordings.
    func stops(_ count: Int) -> XCTestExpectation {
        expectation("\(count) stopped") { _, recordings in recordings.count > count }
    }

    /// An expectation that is met when a recording, counted from 0, has so many bytes.
    func bytes(_ count: Int, recording: Int = 0) -> XCTestExpectation {
        expectation("\(count) bytes") { _, recordings in
            recordings.count > recording && recordings[recording].count >= count
        }
    }

    private func note(_ call: Call, audio: Data? = nil) {
        state.withLock { state in
            state.calls.append(call)
            if let audio {
                state.recordings[state.recordings.count - 1].append(audio)
                state.chunks.append(audio.count)
            }
            if call == .stopped { state.recordings.append(Data()) }
            Self.wake(&state)
        }
    }

    private static func wake(_ state: inout State) {
        let (calls, recordings) = (state.calls, state.recordings)
        let met = state.waiters.filter { $0.condition(calls, recordings) }
        state.waiters.removeAll { $0.condition(calls, recordings) }
        met.forEach { $0.expectation.fulfill() }
    }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        note(.audio(audioData.count), audio: audioData)
    }

    func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: Error) {
        note(.failed("\(error)"))
    }

    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) { note(.stopped) }

    func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {
        state.withLock { $0.losses.append(seconds) }
        note(.lost)
    }

    func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning) {
        note(.warned(warning))
    }

    func audioRecorderDidMeasureLevel(_ audioRecorder: AudioRecorderProtocol, level: AudioLevel) {
        state.withLock { $0.levels.append(level) }
    }

    func audioRecorderDidChangeAvailability(_ audioRecorder: AudioRecorderProtocol, isAvailable: Bool) {
        note(.available(isAvailable))
    }

    func audioRecorderDidRestart(_ audioRecorder: AudioRecorderProtocol) { note(.restarted) }
}
