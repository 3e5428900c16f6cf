import Foundation
import SpeechlySync

/// Records from an ALSA device.
///
/// The device is open only while a recording is under way, its tail included, unless a warm microphone is asked for.
/// It is asked for the recorder's format; what it gives instead is converted. Whatever it captures as, the delegate
/// gets 16-bit little-endian samples at ``sampleRate`` with ``channels`` channels.
///
/// All methods may be called from any thread, in any order, also from the delegate's callbacks; none waits for the
/// device, except that opening it takes as long as the system needs. The delegate is held weakly and called on the
/// delegate queue, one call after the other. A recorder that is released closes its device by itself; its delegate
/// hears nothing more.
///
/// Faults that pass (an overrun, a sleep of the computer) are mended; the time that was lost is reported and filled
/// with silence, so that what follows is at its right time. A device that is gone ends the recording with one error.
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
    private let levelHub = EventHub<AudioLevel>(limit: 32)

    /// How long chunks may be, in seconds.
    private static let chunks = 0.02...0.1

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
    ///   - prepareOnInit: Whether to open the device once, to see that it can be, and release it (a warm microphone
    ///     stays open). Otherwise no device is touched before ``start()``.
    ///   - device: The name of the ALSA device, such as `default`, `plughw:1` or `pulse`.
    ///   - chunk: The length of the pieces that are delivered, 20 to 100 ms; the last of a recording may be shorter.
    ///   - tail: For how long to go on after ``stop()``, at most 10 s.
    ///   - channelSelection: How several channels become one, where `channels` is 1.
    ///   - warmth: Whether the device stays open between recordings.
    ///   - reopensDevice: Whether a recording that ended because its device was lost begins again by itself when the
    ///     device is back, until ``stop()`` or ``suspend()``.
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
        chunk: Duration = .milliseconds(30),
        tail: Duration = .milliseconds(500),
        channelSelection: ChannelSelection = .average,
        warmth: MicrophoneWarmth = .cold,
        reopensDevice: Bool = false
    ) throws {
        try self.init(
            sampleRate: sampleRate, channels: channels, format: format, audioQueue: audioQueue,
            delegateQueue: delegateQueue, prepareOnInit: prepareOnInit, device: device, chunk: chunk, tail: tail,
            channelSelection: channelSelection, warmth: warmth, reopensDevice: reopensDevice, system: ALSASystem())
    }

    /// Creates a recorder whose devices come from `system`, and whose time is `time`.
    init(
        sampleRate: Double, channels: UInt32, format: AudioSampleFormat = .int16,
        audioQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.audioQueue"),
        delegateQueue: DispatchQueue = DispatchQueue(label: "com.speechly.AudioRecorder.delegateQueue"),
        prepareOnInit: Bool = true, device: String = "default", chunk: Duration = .milliseconds(30),
        tail: Duration = .milliseconds(500), channelSelection: ChannelSelection = .average,
        warmth: MicrophoneWarmth = .cold, reopensDevice: Bool = false, system: any PCMSystem,
        time: CaptureTime = .system
    ) throws(AudioRecorderError) {
        guard sampleRate >= 1_000, sampleRate <= 768_000, sampleRate == sampleRate.rounded(),
            (1...32).contains(channels)
        else { throw .outputFormatError }
        if case .channel(let index) = channelSelection, !(0..<32).contains(index) { throw .outputFormatError }
        self.sampleRate = sampleRate
        self.channels = channels
        self.device = device
        checksDevice = prepareOnInit
        let chunk = min(max(chunk.seconds, Self.chunks.lowerBound), Self.chunks.upperBound)
        do throws(SystemError) {
            setup = CaptureLoop.Setup(
                system: system,
                request: PCMRequest(
                    device: device, sampleRate: Int(sampleRate), channels: Int(channels), format: format,
                    selection: channelSelection, period: chunk),
                output: CaptureOutput(
                    sampleRate: Int(sampleRate), channels: Int(channels), chunk: chunk, selection: channelSelection,
                    device: device),
                tail: min(max(tail.seconds, 0), 10), isWarm: warmth != .cold,
                preRoll: min(max(warmth.preRoll.seconds, 0), 10), reopens: reopensDevice, time: time,
                control: try CaptureControl(),
                delivery: try CaptureDelivery(audioQueue: audioQueue, delegateQueue: delegateQueue))
        } catch { throw .openFailed(device: device, reason: error.description) }
        setup.delivery.start { [weak self] messages in self?.tell(messages) }
        if prepareOnInit { try prepareDevice() }
    }

    deinit {
        setup.control.send(.quit)
        levelHub.finish()
    }

    /// The object that is told about audio, errors and the end of recordings; held weakly.
    public var delegate: AudioRecorderDelegate? {
        get { weakDelegate.withLock { $0.object } }
        set { weakDelegate.withLock { $0.object = newValue } }
    }

    /// How loud the delivered audio is, 20 times a second while a recording is under way. Each access is a
    /// subscription of its own; a slow reader misses the oldest levels. The sequence ends with the recorder.
    public var levels: AsyncStream<AudioLevel> { levelHub.subscribe() }

    /// How much audio all recordings of this recorder have lost so far. Each gap is counted before the delegate's
    /// `audioRecorderDidLoseAudio` tells of it. May be read from any thread; waits for nothing.
    public var lostAudio: LostAudio { setup.delivery.lost }

    /// Begins a recording.
    ///
    /// Does nothing while one is under way. During the tail of one, that one ends and the new one begins, without a
    /// gap and without sharing audio. Also ends what ``suspend()`` began.
    ///
    /// - Throws: ``AudioRecorderError`` when the device cannot be opened.
    public func start() throws { try open(for: .start) }

    /// Ends the recording after the tail; the delegate's `audioRecorderDidStop` follows once the device is closed, or
    /// after the tail if the microphone is kept warm.
    ///
    /// Returns at once. Does nothing when no recording is under way.
    public func stop() { setup.control.send(.stop) }

    /// Ends the recording at once, without a tail, and closes the device, also a warm one.
    ///
    /// Returns at once; `audioRecorderDidStop` follows what was captured up to now.
    public func suspend() throws { setup.control.send(.suspend) }

    /// Makes sure that the device can be opened again, if the recorder was made with `prepareOnInit`; a warm
    /// microphone is opened for good. Does not begin a recording.
    ///
    /// - Throws: ``AudioRecorderError`` when the device cannot be opened.
    public func resume() throws {
        if checksDevice && setup.control.isIdle { try prepareDevice() }
    }

    /// Whether no device is open, being opened or waited for.
    var isIdle: Bool { setup.control.isIdle }

    private func open(for command: CaptureControl.Command) throws(AudioRecorderError) {
        guard setup.control.start(command) else { return }
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

    private func prepareDevice() throws(AudioRecorderError) {
        if setup.isWarm { return try open(for: .warm) }
        let (device, _) = try CaptureLoop.open(setup)
        device.close()
    }

    private func tell(_ messages: [CaptureDelivery.Message]) {
        guard delegate is CollectingAudioRecorderDelegate else { return messages.forEach(tell) }
        let longest = Int(sampleRate * Self.chunks.upperBound) * Int(channels) * 2
        CaptureDelivery.Message.collected(messages, upTo: longest).forEach(tell)
    }

    private func tell(_ message: CaptureDelivery.Message) {
        if case .level(let level) = message { levelHub.publish(level) }
        guard let delegate else { return }
        switch message {
        case .audio(let data): delegate.audioRecorderDidReceiveData(self, audioData: data)
        case .level(let level): delegate.audioRecorderDidMeasureLevel(self, level: level)
        case .lost(let seconds): delegate.audioRecorderDidLoseAudio(self, seconds: seconds)
        case .warning(let warning): delegate.audioRecorderDidWarn(self, warning: warning)
        case .availability(let isAvailable):
            delegate.audioRecorderDidChangeAvailability(self, isAvailable: isAvailable)
        case .restarted: delegate.audioRecorderDidRestart(self)
        case .stopped: delegate.audioRecorderDidStop(self)
        case .failed(let error): delegate.audioRecorderDidCatchError(self, error: error)
        }
    }
}

/// Whether a microphone stays open between recordings.
public enum MicrophoneWarmth: Hashable, Sendable {
    /// The device is closed after each recording.
    case cold
    /// The device stays open from the first recording on (with `prepareOnInit` from the beginning) until it is
    /// suspended. What it captures between recordings is kept for `preRoll` only, in memory, and begins the next
    /// recording; at most 10 s.
    case warm(preRoll: Duration)

    /// How much of what came before a recording belongs to it.
    public var preRoll: Duration {
        switch self {
        case .cold: .zero
        case .warm(let preRoll): preRoll
        }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { self / .seconds(1) }
}
