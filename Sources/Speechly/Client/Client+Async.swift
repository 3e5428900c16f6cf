import Foundation
import SpeechlyAudio
import SpeechlyCore

extension Client {
    /// Everything that happens from now on. Each access is a subscription of its own, with room for 256 events;
    /// a slow reader misses the oldest and gets ``ClientEvent/dropped(_:)`` in their place. The sequence ends when
    /// the client is released.
    public var events: AsyncStream<ClientEvent> { engine.events.subscribe() }

    /// What the client is doing.
    public var state: ClientState { engine.state.withLock { $0.machine.publicState } }

    /// Every change of ``state`` from now on, with its reason. Each access is a subscription of its own, with room for
    /// 256 changes; a slow reader misses the oldest. The sequence ends when the client is released.
    public var states: AsyncStream<ClientStateChange> { engine.states.subscribe() }

    /// Every segment that is new or has changed from now on. Each access is a subscription of its own, with room
    /// for 256 segments; a slow reader misses the oldest. The sequence ends when the client is released.
    public var segments: AsyncStream<Segment> { engine.segments.subscribe() }

    /// Opens the microphone, starts a context and waits until the service has acknowledged it.
    ///
    /// Audio is captured from the call on. While a context is open for audio, the same app joins it, and another
    /// app stops it and starts a new one. A start that follows the stop of a source waits until the source has ended,
    /// and keeps what is said meanwhile. Cancelling the task stops the context.
    ///
    /// - Parameters:
    ///   - appId: the app; `nil` for the app of the login.
    ///   - options: what the service should know for this context.
    /// - Returns: the identifier of the context.
    /// - Throws: `Failure`, with code ``Failure/Code/suspended`` while the client is suspended; `CancellationError`.
    public func start(appId: String? = nil, options: ContextOptions = .init()) async throws -> String {
        let handle = engine.start(appId: appId, options: options, source: nil)
        do {
            return try await handle.started()
        } catch let error as CancellationError {
            stopContext()
            throw error
        }
    }

    /// Stops the context and waits until all its results are in.
    ///
    /// - Returns: the context with its final segments.
    /// - Throws: `Failure`, with code ``Failure/Code/notListening`` when there is no context; `CancellationError`.
    public func stop() async throws -> AudioContext {
        guard let handle = engine.stop() else {
            await Task.yield()
            throw Failure.notListening
        }
        return try await handle.stopped()
    }

    /// Sends audio of a source to its end in a context of its own, as fast as the service takes it.
    ///
    /// The delegate and the sequences get results as they come. Cancelling the task stops source and context.
    ///
    /// It throws when the context has no end that the service vouches for: it could not be started, source, service
    /// or connection failed, or the client was suspended. It does not throw for a single message that cannot be read
    /// or makes no sense: the delegate and ``events`` get that as an error with ``Failure/Code/badMessage``, the rest
    /// of the context goes on, and what is returned lacks what the message would have said. Nor does it throw when
    /// nothing was recognised; there are no segments then.
    ///
    /// - Parameters:
    ///   - source: mono or as many channels as the client has, at the client's rate: 16 kHz mono unless a recorder
    ///     of another kind was given.
    ///   - appId: the app; `nil` for the app of the login.
    ///   - options: what the service should know for this context.
    /// - Returns: the context with its final segments.
    /// - Throws: `Failure`, with code ``Failure/Code/sourceAlreadyRead`` when the source has been read before or was
    ///   given to a client before, or ``Failure/Code/suspended`` while the client is suspended; what the source threw;
    ///   `CancellationError`.
    public func transcribe(
        _ source: any AudioSource, appId: String? = nil, options: ContextOptions = .init()
    ) async throws -> AudioContext {
        try await engine.transcribe(source, appId: appId, options: options)
    }

    /// Logs in, or takes a kept token.
    ///
    /// - Throws: `Failure`, or `CancellationError`.
    public func authenticate() async throws -> ApiAccessToken {
        try await engine.login.authenticate()
    }

    /// Finds intent and entities in text, on a connection of its own: also while a context is open, or the client is
    /// suspended.
    ///
    /// - Parameters:
    ///   - text: what was written.
    ///   - languageCode: the language of the text, a BCP 47 tag; `nil` for the client's, or `en-US`.
    ///   - referenceTime: what "today" means in the text; `nil` for the present moment.
    /// - Returns: the segments of the text.
    /// - Throws: `Failure`, or `CancellationError`.
    public func understand(
        text: String, languageCode: String? = nil, referenceTime: Date? = nil
    ) async throws -> [WrittenSegment] {
        guard let wlu else {
            throw Failure(
                code: .unsupported, side: .api, what: "this client knows no address to send text to",
                remedy: "use a WluClient")
        }
        let languageCode = languageCode ?? engine.sluConfig.languageCode ?? "en-US"
        do {
            return try await wlu.understand(text: text, languageCode: languageCode, referenceTime: referenceTime)
        } catch let failure as Failure where failure.code == .permissionDenied {
            // As with a stream: the kept token may be one that the service no longer takes.
            try await engine.login.forgetToken()
            return try await wlu.understand(text: text, languageCode: languageCode, referenceTime: referenceTime)
        }
    }
}
