import SpeechlyAudio

/// What the voice activity detector does in a client: ``Client/vad``.
///
/// After ``start(appId:options:)`` the microphone stays open, and contexts open and close by themselves: each begins
/// with the frames before the speech that started it, and ends some seconds after it. Nothing is sent between them.
/// All methods may be called from any thread.
public struct VoiceActivityControl: Sendable {
    let engine: ClientEngine

    /// What tells speech from noise. May be changed at any time.
    public var parameters: VoiceActivityParameters {
        get { engine.state.withLock { $0.voice.parameters } }
        nonmutating set { engine.state.withLock { $0.voice.parameters = newValue } }
    }

    /// Whether the detector also tells of speech in contexts that the host starts and stops itself; off by default.
    public var isEnabled: Bool {
        get { engine.state.withLock { $0.voice.observes } }
        nonmutating set { engine.state.withLock { $0.voice.observes = newValue } }
    }

    /// Whether the detector opens and closes contexts.
    public var isListening: Bool { engine.state.withLock { $0.voice.controlsListening } }

    /// Whether there is speech.
    public var isSpeech: Bool { engine.state.withLock { $0.voice.isSpeech } }

    /// Opens the microphone and lets the detector open and close contexts, until ``stop()`` or `suspend()`.
    ///
    /// Returns at once; what keeps the microphone from being opened is reported to the delegate and in `events`. A
    /// recording that is under way comes to its end first. Meanwhile the client's own starts are refused as busy; its
    /// stop ends the context under way, and the detector waits for the next speech.
    ///
    /// - Parameters:
    ///   - appId: the app of the contexts; `nil` for the app of the login.
    ///   - options: what the service should know for them.
    public func start(appId: String? = nil, options: ContextOptions = .init()) {
        engine.startListening(appId: appId, options: options)
    }

    /// Ends that. A context that is open is closed after the microphone's tail, and its results still arrive.
    public func stop() { engine.stopListening() }
}

extension Client {
    /// The voice activity detector.
    public var vad: VoiceActivityControl { VoiceActivityControl(engine: engine) }

    /// How loud the microphone is, 20 times a second while it records. Each access is a subscription of its own; a
    /// slow reader misses the oldest levels. The sequence ends when the client is released.
    public var levels: AsyncStream<AudioLevel> { engine.levels.subscribe() }

    /// How much of the microphone's audio has been lost since the client was made. Each gap is also a failure of its
    /// own, with code `audioLost`, and is counted before that is told. May be read from any thread.
    public var lostAudio: LostAudio { engine.state.withLock { $0.lostAudio } }
}
