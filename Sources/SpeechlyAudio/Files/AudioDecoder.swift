/// Reads the samples of an audio file from front to end.
protocol AudioDecoder: AnyObject {
    /// The sample rate, in Hz.
    var sampleRate: Int { get }
    /// The number of interleaved channels.
    var channels: Int { get }
    /// The number of frames, where it is known beforehand.
    var frames: Int? { get }
    /// How the samples that ``read(_:)`` gives are stored.
    var format: AudioSampleFormat { get }
    /// What was noticed so far.
    var warnings: [AudioFileWarning] { get }

    /// Gives the next samples to `body`, which may keep nothing of them. Returns `false` at the end.
    func read(_ body: (UnsafeRawBufferPointer) -> Void) throws(AudioFileError) -> Bool
}

/// How many frames to read at once: 20 ms, so that audio from a live pipe is not held up, and less where
/// many channels would make the buffer large.
func decoderBlockFrames(sampleRate: Int, channels: Int) -> Int {
    max(1, min(sampleRate / 50, 65_536 / channels))
}
