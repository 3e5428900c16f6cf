import Foundation

/// Audio that is pulled: the consumer asks for the next piece when it can use it.
///
/// A source that can be read faster than real time, such as a file, is thereby slowed down to the speed
/// of its consumer, and one that cannot wait, such as a microphone, has to bound its own buffer.
///
/// A source is read once, by one consumer.
public protocol AudioSource: AnyObject, Sendable {
    /// The sample rate of what ``nextChunk()`` returns, in Hz.
    var sampleRate: Double { get }

    /// The number of interleaved channels in what ``nextChunk()`` returns.
    var channels: UInt32 { get }

    /// Waits for the next piece of audio.
    ///
    /// - Returns: Interleaved signed 16-bit little-endian samples, whole frames, never empty;
    ///   `nil` once the source has ended, and at every call after that.
    /// - Throws: What went wrong with the source, or `CancellationError` when the calling task is
    ///   cancelled. After an error the source has ended.
    func nextChunk() async throws -> Data?

    /// Whether ``nextChunk()`` has said that the source has ended: it can be read once. `false` for a source that
    /// does not tell.
    var isAtEnd: Bool { get }

    /// Ends the source early. What it has buffered is still returned, then `nil`.
    ///
    /// May be called from any thread, any number of times.
    func stop()
}

extension AudioSource {
    /// `false`: most sources need not tell.
    public var isAtEnd: Bool { false }
}
