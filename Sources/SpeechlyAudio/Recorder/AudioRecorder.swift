import Foundation
import SpeechlySync

/// Records from an ALSA device.
///
/// The device is open only while a recording is under way, its tail included. It is asked for the recorder's format;
/// what it gives instead is converted. Whatever it captures as, the delegate gets 16-bit little-endian samples at
/// ``sampleRate`` with ``channels`` channels.
///
/// All methods may be called from any thread, in any order, also from the delegate's callbacks; none waits for the
/// device, except that opening it takes as long as the system needs. The delegate is held weakly and called on the
/// delegate queue, one call after the other. A recorder that is released closes its device by itself; its delegate
/// hears nothing more.
///
/// A device that delivers faster than real time, such as a file, is read at the pace of a microphone.
public final class AudioRecorder: AudioRecorderProtocol, Sendable {
    /// The sample rate of the delivered audio, in Hz.
    public let sampleRate: Double
    /// The number of interleaved channels of the delivered audio.
    public let channels: UInt32
    /// The name of the ALSA device.
    public let device: String

    private let checksDevice: Bool
    private let setup: CaptureLoop.Setup
    private let weakDelegate = Locked(WeakDelegate())

    private struct WeakDelegate {
        weak var object: AudioRecorderDelegate?
    }

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate to deliver, in Hz; a whole number from 1,000 to 768,000.
    ///   - channels: The number of channels to deliver, 1 to 32.
    ///   - format: What the device is asked to capture as.
    ///   - audioQueue: Where captured audio is converted.
    ///   - delegateQueue: Where the delegate is called.
    ///   - prepareOnInit: Whether to open the device once, to see that it can be, and release it. Otherwise no device
    ///     is touched before ``start()``.
    ///   - device: The name of the ALSA device, such as `default`, `plughw:1` or `pulse`.
    ///   - chunk: The length of the pieces that are delivered, 10 ms to 1 s; the last of a recording may be shorter.
    ///   - tail: For how long to go on after ``stop()``, at most 10 s.
    /// - Throws: ``AudioRecorderError`` when the format is out of its range or, with `prepareOnInit`, when the device
    ///   cannot be opened.
    public convenience init(
        sampleRate: Double,
        channels: UInt32,
        format: AudioSampleFormat = .int16,
        audioQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.audioQueue"),
        delegateQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.delegateQueue"),
        prepareOnInit: Bool = true,
        device: String = "default",
        chunk: Duration = .milliseconds(100),
        tail: Duration = .milliseconds(500)
    ) throws {
        try self.init(
            sampleRate: sampleRate, channels: channels, format: format, audioQueue: audioQueue,
            delegateQueue: delegateQueue, prepareOnInit: prepareOnInit, device: device, chunk: chunk, tail: tail,
            system: ALSASystem())
    }

    /// Creates a recorder whose devices come from `system`.
    init(
        sampleRate: Double, channels: UInt32, format: AudioSampleFormat = .int16,
        audioQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.audioQueue"),
        delegateQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.delegateQueue"),
        prepareOnInit: Bool = true, device: String = "default", chunk: Duration = .milliseconds(100),
        tail: Duration = .milliseconds(500), system: any PCMSystem
    ) throws(AudioRecorderError) {
        guard sampleRate >= 1_000, sampleRate <= 768_000, sampleRate == sampleRate.rounded(),
            (1...32).contains(channels)
        else { throw .outputFormatError }
        self.sampleRate = sampleRate
        self.channels = channels
        self.device = device
        checksDevice = prepareOnInit
        let control: CaptureControl
        do { control = try CaptureControl() } catch { throw .openFailed(device: device, reason: error.description) }
        setup = CaptureLoop.Setup(
            system: system,
            request: PCMRequest(
                device: device, sampleRate: Int(sampleRate), channels: Int(channels), format: format),
            output: CaptureOutput(
                sampleRate: Int(sampleRate), channels: Int(channels), chunk: min(max(chunk.seconds, 0.01), 1)),
            tail: min(max(tail.seconds, 0), 10),
            control: control,
            delivery: CaptureDelivery(audioQueue: audioQueue, delegateQueue: delegateQueue))
        setup.delivery.start { [weak self] message in self?.tell(message) }
        if prepareOnInit { try checkDevice() }
    }

    deinit { setup.control.send(.quit) }

    /// The object that is told about audio, errors and the end of recordings; held weakly.
    public var delegate: AudioRecorderDelegate? {
        get { weakDelegate.withLock { $0.object } }
        set { weakDelegate.withLock { $0.object = newValue } }
    }

    /// Begins a recording.
    ///
    /// Does nothing while one is under way. During the tail of one, that one ends and the new one begins, without a
    /// gap and without sharing audio. Also ends what ``suspend()`` began.
    ///
    /// - Throws: ``AudioRecorderError`` when the device cannot be opened.
    public func start() throws {
        guard setup.control.start() else { return }
        let loop: CaptureLoop
        do {
            loop = try CaptureLoop(setup)
        } catch {
            if setup.control.openingFailed() { setup.delivery.add(failure: error) }
            throw error
        }
        setup.control.opened()
        loop.startThread()
    }

    /// Ends the recording after the tail; the delegate's `audioRecorderDidStop` follows once the device is closed.
    ///
    /// Returns at once. Does nothing when no recording is under way.
    public func stop() { setup.control.send(.stop) }

    /// Ends the recording at once, without a tail, and closes the device.
    ///
    /// Returns at once; `audioRecorderDidStop` follows what was captured up to now.
    public func suspend() throws { setup.control.send(.suspend) }

    /// Makes sure that the device can be opened again, if the recorder was made with `prepareOnInit`. Does not begin
    /// a recording.
    ///
    /// - Throws: ``AudioRecorderError`` when the device cannot be opened.
    public func resume() throws {
        if checksDevice && setup.control.isIdle { try checkDevice() }
    }

    private func checkDevice() throws(AudioRecorderError) {
        let (device, _) = try CaptureLoop.open(setup)
        device.close()
    }

    private func tell(_ message: CaptureDelivery.Message) {
        guard let delegate else { return }
        switch message {
        case .audio(let data): delegate.audioRecorderDidReceiveData(self, audioData: data)
        case .lost(let seconds): delegate.audioRecorderDidLoseAudio(self, seconds: seconds)
        case .stopped: delegate.audioRecorderDidStop(self)
        case .failed(let error): delegate.audioRecorderDidCatchError(self, error: error)
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
