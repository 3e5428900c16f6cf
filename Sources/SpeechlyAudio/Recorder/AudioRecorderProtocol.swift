import Foundation

/// Captures audio from an input such as a microphone.
///
/// Audio, errors and the end of the recording are reported to ``delegate``.
public protocol AudioRecorderProtocol {
    /// The object that receives audio, errors and the end of the recording.
    var delegate: AudioRecorderDelegate? { get set }

    /// The sample rate of the delivered audio, in Hz.
    var sampleRate: Double { get }

    /// The number of interleaved channels of the delivered audio.
    var channels: UInt32 { get }

    /// Starts recording; prepares the recorder first where that has not been done.
    ///
    /// Does nothing while a recording is under way. During the tail that follows ``stop()`` it ends
    /// the old recording and begins a new one.
    ///
    /// - Throws: What keeps the input from being opened.
    func start() throws

    /// Ends the recording after a short tail, since people let go of a button before their last word is out.
    ///
    /// Returns at once; the delegate's `audioRecorderDidStop` follows when the tail has been delivered.
    /// Does nothing when no recording is under way.
    func stop()

    /// Ends a recording at once, without a tail, and releases the input.
    ///
    /// - Throws: What keeps the input from being released.
    func suspend() throws

    /// Makes the recorder ready again after ``suspend()``. Does not begin a recording.
    ///
    /// - Throws: What keeps the input from being opened.
    func resume() throws
}

/// Receives what an audio recorder captures.
public protocol AudioRecorderDelegate: AnyObject {
    /// Called when the recorder has failed. A recording under way has ended; `audioRecorderDidStop` follows.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - error: What went wrong.
    func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: Error)

    /// Called with each piece of captured audio, in order.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - audioData: Interleaved signed 16-bit little-endian samples at the recorder's rate and channels.
    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data)

    /// Called once for each recording, after its last audio.
    ///
    /// - Parameter audioRecorder: The recorder.
    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol)

    /// Called where audio is missing, between the pieces before and after it: the computer was too busy to read the
    /// device, or the delegate too slow to take what was read. The recording goes on, with as much silence in the
    /// place of the missing audio (one minute at most), so that what follows is at its right time.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - seconds: How much is missing, in seconds, as well as it is known.
    func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval)

    /// Called when something about the audio makes recognition unlikely. The recording goes on.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - warning: What it is.
    func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning)

    /// Called 20 times a second while a recording is under way, behind the audio that was measured.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - level: How loud the audio is.
    func audioRecorderDidMeasureLevel(_ audioRecorder: AudioRecorderProtocol, level: AudioLevel)

    /// Called when the device is gone during a recording, before the error, and when it is back.
    ///
    /// - Parameters:
    ///   - audioRecorder: The recorder.
    ///   - isAvailable: Whether the device is there.
    func audioRecorderDidChangeAvailability(_ audioRecorder: AudioRecorderProtocol, isAvailable: Bool)

    /// Called when a recording begins by itself, because the device that the last one was lost with is back. Only
    /// recorders that were asked to reopen their device do that.
    ///
    /// - Parameter audioRecorder: The recorder.
    func audioRecorderDidRestart(_ audioRecorder: AudioRecorderProtocol)
}

extension AudioRecorderDelegate {
    /// Ignores the error.
    public func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: Error) {}

    /// Ignores the audio.
    public func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {}

    /// Ignores the end.
    public func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {}

    /// Ignores the loss.
    public func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {}

    /// Ignores the warning.
    public func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning) {}

    /// Ignores the level.
    public func audioRecorderDidMeasureLevel(_ audioRecorder: AudioRecorderProtocol, level: AudioLevel) {}

    /// Ignores the change.
    public func audioRecorderDidChangeAvailability(_ audioRecorder: AudioRecorderProtocol, isAvailable: Bool) {}

    /// Ignores the recording.
    public func audioRecorderDidRestart(_ audioRecorder: AudioRecorderProtocol) {}
}
