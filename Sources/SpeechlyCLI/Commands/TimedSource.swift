import Foundation
import Speechly
import SpeechlySync

/// An audio source that remembers when its first audio was taken.
final class TimedSource: AudioSource {
    private let source: any AudioSource
    private let start = Locked<ContinuousClock.Instant?>(nil)

    init(_ source: any AudioSource) {
        self.source = source
    }

    var sampleRate: Double { source.sampleRate }
    var channels: UInt32 { source.channels }

    /// The time since the first audio was taken; zero before that.
    var elapsed: Duration { start.withLock { $0.map { ContinuousClock.now - $0 } ?? .zero } }

    func nextChunk() async throws -> Data? {
        let chunk = try await source.nextChunk()
        start.withLock { if $0 == nil { $0 = .now } }
        return chunk
    }

    func stop() { source.stop() }
}
