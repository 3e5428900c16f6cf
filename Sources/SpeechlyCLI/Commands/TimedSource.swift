import Foundation
import Speechly
import SpeechlySync

/// An audio source that remembers when its first audio was taken, when its last, and how much there was. It gives audio
/// only when there is room for what comes of it.
final class TimedSource: AudioSource {
    private struct State {
        var start: ContinuousClock.Instant?
        var end: ContinuousClock.Instant?
        var bytes = 0
    }

    private let source: any AudioSource
    private let state = Locked(State())

    private let waitForRoom: @Sendable () async -> Void

    init(_ source: any AudioSource, waitForRoom: @escaping @Sendable () async -> Void) {
        self.source = source
        self.waitForRoom = waitForRoom
    }

    var sampleRate: Double { source.sampleRate }
    var channels: UInt32 { source.channels }

    /// The time since the first audio was taken; zero before that.
    var elapsed: Duration { since(\.start) }

    /// The time since the source was found to be at its end; zero before that.
    var elapsedSinceEnd: Duration { since(\.end) }

    /// How much audio was taken.
    var duration: Duration {
        let bytesPerSecond = sampleRate * Double(channels) * 2
        return .milliseconds(milliseconds(Double(state.withLock { $0.bytes }) / bytesPerSecond))
    }

    func nextChunk() async throws -> Data? {
        await waitForRoom()
        let chunk = try await source.nextChunk()
        state.withLock { state in
            if state.start == nil { state.start = .now }
            if chunk == nil, state.end == nil { state.end = .now }
            state.bytes += chunk?.count ?? 0
        }
        return chunk
    }

    func stop() { source.stop() }

    private func since(_ moment: KeyPath<State, ContinuousClock.Instant?>) -> Duration {
        state.withLock { $0[keyPath: moment] }.map { ContinuousClock.now - $0 } ?? .zero
    }
}
