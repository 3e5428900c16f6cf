import Foundation
import SpeechlySync

/// Audio from a file or from a pipe.
///
/// WAV (any width, integer, float, µ-law or A-law; any rate and channels), FLAC, Ogg, AIFF, AU, CAF and MP3
/// are read and converted to 16-bit PCM, by default 16 kHz mono. A WAV whose header says no length, as
/// streaming writers leave it, is read to its end. Pipes must carry WAV.
///
/// The file is read as fast as the consumer asks, and never held in memory. With `realtime` it comes no
/// faster than it would from a microphone.
public final class AudioFile: AudioSource {
    /// The sample rate of what ``nextChunk()`` returns, in Hz.
    public let sampleRate: Double
    /// The number of interleaved channels in what ``nextChunk()`` returns.
    public let channels: UInt32
    /// The length of the audio in seconds; `nil` where it cannot be known beforehand, as with a pipe.
    public let duration: TimeInterval?

    private let input: FileInput
    private let pump: AudioFilePump
    private let pacer: RealTimePacer?
    private let queue = DispatchQueue(label: "com.speechly.AudioFile")
    private let state = Locked(State())

    private struct State {
        var warnings: [AudioFileWarning] = []
        /// How much audio was returned, in bytes.
        var position = 0
        var isAtEnd = false
    }

    /// Opens a file and reads its header. The header of a pipe is read with the first chunk.
    ///
    /// - Parameters:
    ///   - path: The path of a file or named pipe; `-` is standard input.
    ///   - realtime: Whether chunks come no faster than from a microphone.
    ///   - sampleRate: The sample rate to convert to, in Hz; a whole number from 1,000 to 768,000.
    ///   - channels: The number of channels to convert to: 1, or as many as the file has.
    ///   - selection: How several channels become one.
    ///   - chunk: The length of the chunks; only the last may be shorter. 10 ms to a minute, the nearer of
    ///     both outside of them.
    ///   - maximumDuration: A file that is known to be longer is refused.
    ///   - clock: The clock that `realtime` goes by.
    /// - Throws: ``AudioFileError`` when there is no such file, or no audio that can be read in it.
    public init(
        path: String, realtime: Bool = false, sampleRate: Double = 16_000, channels: UInt32 = 1,
        selection: ChannelSelection = .average, chunk: Duration = .milliseconds(100),
        maximumDuration: Duration = .seconds(86_400), clock: any Clock<Duration> = ContinuousClock()
    ) throws(AudioFileError) {
        input = try FileInput(path: path)
        let output = AudioOutputFormat(
            sampleRate: sampleRate, channels: Int(channels), selection: selection, chunk: chunk)
        pump = AudioFilePump(input: input, output: output)
        if input.size != nil { try pump.open() }
        duration = pump.duration
        let maximum = maximumDuration.within().seconds
        if let duration, duration > maximum {
            throw .tooLong(file: input.name, duration: duration, maximum: maximum)
        }
        self.sampleRate = sampleRate
        self.channels = channels
        pacer = realtime ? RealTimePacer(clock: clock) : nil
    }

    /// Opens a file by its URL, as ``init(path:realtime:sampleRate:channels:selection:chunk:maximumDuration:clock:)``
    /// does by its path.
    ///
    /// - Parameters:
    ///   - url: The URL of a file.
    ///   - realtime: Whether chunks come no faster than from a microphone.
    /// - Throws: ``AudioFileError`` when there is no such file, or no audio that can be read in it.
    public convenience init(url: URL, realtime: Bool = false) throws(AudioFileError) {
        guard url.isFileURL else {
            throw .readFailed(file: url.absoluteString, reason: "only file URLs can be opened")
        }
        try self.init(path: url.path, realtime: realtime)
    }

    /// What was noticed so far that did not keep the file from being read.
    public var warnings: [AudioFileWarning] { state.withLock { $0.warnings } }

    /// Whether the file has been read to its end, or to where reading failed.
    public var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

    /// Reads, decodes and converts the next chunk, on a queue of the file's own.
    ///
    /// - Returns: Interleaved signed 16-bit little-endian samples; `nil` at the end.
    /// - Throws: ``AudioFileError`` when the file cannot be read on, `CancellationError` when the calling
    ///   task is cancelled. Either ends the source.
    public func nextChunk() async throws -> Data? {
        let chunk = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: self.readChunk()) }
            }
        } onCancel: {
            stop()
        }
        try Task.checkCancellation()
        guard let chunk else { return nil }
        let position = state.withLock { state in
            state.position += chunk.count
            return state.position
        }
        if let pacer {
            let seconds = Double(position / (2 * Int(channels))) / sampleRate
            await pacer.wait(for: .seconds(seconds))
            try Task.checkCancellation()
        }
        return chunk
    }

    /// Ends the source early. What has been decoded is still returned, without further waiting, then `nil`.
    public func stop() {
        input.stop()
        pacer?.cancel()
    }

    private func readChunk() -> Result<Data?, any Error> {
        let result = Result<Data?, any Error> { try pump.next() }
        let hasEnded = (try? result.get()) == nil
        state.withLock { state in
            state.warnings = pump.warnings
            if hasEnded { state.isAtEnd = true }
        }
        return result
    }
}
