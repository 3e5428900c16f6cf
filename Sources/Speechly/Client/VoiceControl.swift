import Foundation
import SpeechlyAudio

/// The rules by which the voice activity detector opens and closes contexts, or only tells of speech.
///
/// Pure: events in, actions out. While it controls listening the recorder is its own: it is started when nobody else
/// records, and every context it opens is closed, whatever ends the listening.
struct VoiceControl {
    /// What has to be done, in order.
    enum Action: Hashable {
        case startRecorder
        case stopRecorder
        /// Start a context for speech; its audio follows.
        case open(appId: String?, options: ContextOptions)
        case audio(Data)
        /// End that context.
        case close
        case speechStarted
        case speechEnded
    }

    private enum Phase: Hashable {
        /// The detector listens to contexts that others open, or not at all.
        case off
        /// Somebody else's recording has to end first.
        case waiting
        case listening
        /// Asked to end; the recorder's tail is still to come.
        case stopping
        /// The device was lost; the recorder may begin again.
        case lost
    }

    private struct Session: Hashable {
        var appId: String?
        var options: ContextOptions
    }

    /// Whether the detector tells of speech in contexts that others open.
    var observes = false
    private(set) var gate: VoiceActivityGate
    private var phase = Phase.off
    private var session = Session(appId: nil, options: ContextOptions())

    init(sampleRate: Double, channels: Int, parameters: VoiceActivityParameters) {
        gate = VoiceActivityGate(sampleRate: sampleRate, channels: channels, parameters: parameters)
    }

    var parameters: VoiceActivityParameters {
        get { gate.detector.parameters }
        set { gate.detector.parameters = newValue }
    }

    /// Whether there is speech.
    var isSpeech: Bool { gate.detector.isActive }

    /// Whether contexts are opened and closed by the detector.
    var controlsListening: Bool { phase != .off }

    /// Whether what the recorder reports is about the detector's own recording.
    var ownsRecorder: Bool { phase == .listening || phase == .stopping }

    /// Whether the recorder has still to say that the detector's own recording has ended.
    var isStopping: Bool { phase == .stopping }

    /// Whether the recorder is to be started once it is free.
    var waitsForRecorder: Bool { phase == .waiting }

    // MARK: The owner

    /// Lets the detector control listening.
    mutating func begin(appId: String?, options: ContextOptions, recorderIsFree: Bool) -> [Action] {
        session = Session(appId: appId, options: options)
        switch phase {
        case .waiting, .listening: return []
        // The recorder may still be in its tail: starting it ends that.
        case .stopping:
            let actions = endSpeech()
            phase = .waiting
            return actions
        case .off, .lost:
            guard recorderIsFree else {
                phase = .waiting
                return []
            }
            phase = .listening
            return [.startRecorder]
        }
    }

    /// Ends that; speech under way gets the recorder's tail.
    mutating func end() -> [Action] {
        switch phase {
        case .off, .stopping: return []
        case .waiting:
            phase = .off
            return []
        case .lost:
            phase = .off
            return [.stopRecorder]
        case .listening:
            phase = .stopping
            return [.stopRecorder]
        }
    }

    /// Ends it at once, because all ends.
    mutating func cancel() -> [Action] {
        let actions = endSpeech()
        phase = .off
        return actions.filter { $0 != .close }
    }

    // MARK: The recorder

    /// Nobody else is recording any more.
    mutating func recorderIsFree() -> [Action] {
        guard phase == .waiting else { return [] }
        phase = .listening
        return [.startRecorder]
    }

    /// The recorder could not be started.
    mutating func recorderFailedToStart() {
        if phase == .listening { phase = .off }
    }

    /// The detector's own recording has brought audio.
    mutating func recorded(_ audio: Data) -> [Action] {
        guard ownsRecorder else { return [] }
        return gate.process(audio).flatMap { output -> [Action] in
            switch output {
            case .started: return [.speechStarted, .open(appId: session.appId, options: session.options)]
            case .audio(let data): return [.audio(data)]
            case .ended: return [.close, .speechEnded]
            }
        }
    }

    /// The detector's own recording has ended: as it was asked to, or because the device is gone.
    mutating func recorderStopped() -> [Action] {
        guard ownsRecorder else { return [] }
        let actions = endSpeech()
        phase = phase == .stopping ? .off : .lost
        return actions
    }

    /// The recorder has not said in time that the detector's own recording has ended. Returns `nil` when that is not
    /// waited for.
    mutating func recorderIsLate() -> [Action]? {
        guard phase == .stopping else { return nil }
        let actions = endSpeech()
        phase = .off
        return actions
    }

    /// The recorder records again, because the device is back. Returns whether that is about the detector.
    mutating func recorderRestarted() -> Bool {
        guard phase == .lost else { return false }
        phase = .listening
        return true
    }

    private mutating func endSpeech() -> [Action] {
        gate.finish().flatMap { output -> [Action] in
            switch output {
            case .started: return []
            case .audio(let data): return [.audio(data)]
            case .ended: return [.close, .speechEnded]
            }
        }
    }

    // MARK: Contexts that others open

    /// Audio of a context that the owner opened.
    mutating func observed(_ audio: Data) -> [Action] {
        guard observes, phase == .off else { return [] }
        return gate.process(audio).compactMap { output in
            switch output {
            case .started: return .speechStarted
            case .audio: return nil
            case .ended: return .speechEnded
            }
        }
    }

    /// A recording of the owner's has ended.
    mutating func observedEnd() -> [Action] {
        guard !ownsRecorder else { return [] }
        return gate.finish().contains(.ended) ? [.speechEnded] : []
    }
}
