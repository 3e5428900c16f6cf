import Foundation
import Speechly
import SpeechlySync

/// An audio source of chunks that a test brings.
final class BytesSource: AudioSource, Sendable {
    struct Broken: Error {}

    private struct State {
        var chunks: [[UInt8]]
        var isStopped = false
        var taken = 0
    }

    let sampleRate: Double
    let channels: UInt32 = 1
    private let fails: Bool
    private let state: Locked<State>

    init(chunks: [[UInt8]], sampleRate: Double = 16000, fails: Bool = false) {
        self.sampleRate = sampleRate
        self.fails = fails
        state = Locked(State(chunks: chunks))
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }
    var taken: Int { state.withLock { $0.taken } }

    func nextChunk() async throws -> Data? {
        try state.withLock { state in
            guard !state.chunks.isEmpty, !state.isStopped else {
                if fails { throw Broken() }
                return nil
            }
            state.taken += 1
            return Data(state.chunks.removeFirst())
        }
    }

    func stop() { state.withLock { $0.isStopped = true } }
}
