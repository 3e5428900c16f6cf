import Foundation
import SpeechlySync

/// Audio that the host hands over piece by piece, in whatever format it has.
///
/// What is pushed is converted to 16-bit PCM, by default 16 kHz mono, and kept until it is asked for.
/// The buffer is bounded: a push that does not fit is refused as a whole, or waits with
/// ``pushWhenWritable(_:)``. Nothing is dropped.
public final class PushAudioSource: AudioSource {
    /// What became of a push.
    public enum PushResult: Sendable, Hashable {
        /// All of it was taken.
        case accepted
        /// The buffer has no room for it at present; none of it was taken.
        case full
        /// The buffer could not hold it even when empty; none of it was taken.
        case tooLarge
        /// The source was finished or stopped; none of it was taken.
        case finished
    }

    /// The sample rate of what ``nextChunk()`` returns, in Hz.
    public let sampleRate: Double
    /// The number of interleaved channels in what ``nextChunk()`` returns.
    public let channels: UInt32

    private let state: Locked<PushBuffer>
    private let pieceSize: Int

    /// Creates an empty source.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of what is pushed, in Hz; a whole number from 1,000 to 768,000.
    ///   - channels: The number of interleaved channels in what is pushed, 1 to 1,024.
    ///   - format: How the pushed samples are stored.
    ///   - bufferLimit: How much converted audio is kept at most, in bytes; by default ten seconds at
    ///     16 kHz mono. A chunk always has room: less than that, zero and negative numbers too, is taken as one chunk.
    ///   - outputSampleRate: The sample rate to convert to, in Hz.
    ///   - outputChannels: The number of channels to convert to: 1, or as many as are pushed.
    ///   - selection: How several channels become one.
    ///   - chunk: The most audio that one chunk holds; 10 ms to a minute, the nearer of both outside of them.
    /// - Throws: ``ResamplerError`` when a rate or a number of channels is out of its range.
    public init(
        sampleRate: Double = 16_000, channels: UInt32 = 1, format: AudioSampleFormat = .int16,
        bufferLimit: Int = 320_000, outputSampleRate: Double = 16_000, outputChannels: UInt32 = 1,
        selection: ChannelSelection = .average, chunk: Duration = .milliseconds(100)
    ) throws(ResamplerError) {
        let resampler = try Resampler(
            inputRate: sampleRate, outputRate: outputSampleRate, inputChannels: Int(channels),
            outputChannels: Int(outputChannels), selection: selection)
        let output = AudioOutputFormat(
            sampleRate: outputSampleRate, channels: Int(outputChannels), selection: selection, chunk: chunk)
        let buffer = PushBuffer(resampler: resampler, format: format, output: output, limit: bufferLimit)
        self.sampleRate = outputSampleRate
        self.channels = outputChannels
        pieceSize = buffer.inputSize(of: output.bytesPerChunk)
        state = Locked(buffer)
    }

    /// Hands audio over. Any thread; does not wait.
    ///
    /// - Parameter bytes: Interleaved samples in the format given to the initialiser. They may be cut
    ///   anywhere, also within a sample.
    /// - Returns: What became of it.
    public func push(_ bytes: UnsafeRawBufferPointer) -> PushResult {
        let (result, resumption) = state.withLock { state in
            let result = state.push(bytes)
            return (result, state.takeResumptions())
        }
        resumption()
        return result
    }

    /// Hands audio over. Any thread; does not wait.
    ///
    /// - Parameter data: Interleaved samples in the format given to the initialiser. They may be cut
    ///   anywhere, also within a sample.
    /// - Returns: What became of it.
    public func push(_ data: Data) -> PushResult {
        data.withUnsafeBytes { push($0) }
    }

    /// Hands audio over, of any size, and waits while there is no room for it.
    ///
    /// - Parameter data: Interleaved samples in the format given to the initialiser. They may be cut
    ///   anywhere, also within a sample.
    /// - Returns: `.accepted`, or `.finished` when the source was finished or stopped first.
    /// - Throws: `CancellationError` when the calling task is cancelled. Part of the audio may have been taken.
    @discardableResult
    public func pushWhenWritable(_ data: Data) async throws -> PushResult {
        var rest = data[...]
        while !rest.isEmpty {
            let piece = Data(rest.prefix(pieceSize))
            switch push(piece) {
            case .accepted: rest = rest.dropFirst(piece.count)
            case .full: try await waitUntilWritable(piece.count)
            case .tooLarge, .finished: return .finished
            }
        }
        return .accepted
    }

    /// Ends the audio: what has been pushed is still returned, then `nil`. Any thread, any number of times.
    public func finish() {
        state.withLock { state in
            state.finish()
            return state.takeResumptions()
        }()
    }

    /// Ends the audio as ``finish()`` does.
    public func stop() { finish() }

    /// Whether all that was pushed has been returned, and there will be no more.
    public var isAtEnd: Bool { state.withLock { $0.hasToldEnd } }

    /// Waits for audio, and returns what is there, at most a chunk of it.
    ///
    /// - Returns: Interleaved signed 16-bit little-endian samples; `nil` after ``finish()``, once all
    ///   that was pushed has been returned.
    /// - Throws: `CancellationError` when the calling task is cancelled, which ends the source.
    public func nextChunk() async throws -> Data? {
        while true {
            if Task.isCancelled {
                finish()
                throw CancellationError()
            }
            let (chunk, isAtEnd, resumption) = state.withLock { state -> (Data?, Bool, @Sendable () -> Void) in
                let chunk = state.take()
                if chunk == nil, state.isFinished { state.hasToldEnd = true }
                return (chunk, state.isFinished, state.takeResumptions())
            }
            resumption()
            if let chunk { return chunk }
            if isAtEnd { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    state.withLock { state in
                        state.addReader(continuation)
                        return state.takeResumptions()
                    }()
                }
            } onCancel: {
                finish()
            }
        }
    }

    private func waitUntilWritable(_ count: Int) async throws {
        let id = state.withLock { $0.makeWriterID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.addWriter(continuation, id: id, count: count)
                    // Cancelled before it was added, it would not be found by the handler.
                    if Task.isCancelled { state.releaseWriter(id) }
                    return state.takeResumptions()
                }()
            }
        } onCancel: {
            state.withLock { state in
                state.releaseWriter(id)
                return state.takeResumptions()
            }()
        }
        try Task.checkCancellation()
    }
}
