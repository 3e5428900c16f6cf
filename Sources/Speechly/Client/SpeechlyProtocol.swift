import SpeechlyAudio
import SpeechlyCore

/// What a speech client does: microphone in, recognised segments out through the delegate.
public protocol SpeechlyProtocol {
    /// Receives everything the client has to say. It is held weakly.
    var delegate: SpeechlyDelegate? { get set }

    /// Opens the microphone and starts a recognition context.
    ///
    /// Returns at once; `speechlyClientDidStartContext` or `speechlyClientDidCatchError` follows. While a context
    /// is open for audio, the same app does nothing, and another app stops that context and starts a new one
    /// without a gap.
    ///
    /// - Parameter appId: the app to start; `nil` for the app of the login. A project login needs one.
    func startContext(appId: String?)

    /// Stops the recognition context and closes the microphone after a short tail.
    ///
    /// Returns at once; `speechlyClientDidStopContext` follows when all results are in. Does nothing when no
    /// context is open for audio.
    func stopContext()

    /// Ends everything under way and releases microphone and connection.
    func suspend()

    /// Makes a suspended client usable again. It connects when the next context starts.
    ///
    /// - Throws: what keeps the microphone from being prepared.
    func resume() throws
}

/// Receives what a speech client recognises.
///
/// All methods have an implementation that does nothing. They are called on the client's delegate queue, in the
/// order in which the service's messages came, and may call any method of the client.
public protocol SpeechlyDelegate: AnyObject {
    /// Called when the client is in another state: connecting, listening, and so on.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - change: the new state, and why.
    func speechlyClient(_ speechlyClient: SpeechlyProtocol, didChangeState change: ClientStateChange)

    /// Called when something failed.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - error: the side that failed, and what happened.
    func speechlyClientDidCatchError(_ speechlyClient: SpeechlyProtocol, error: SpeechlyError)

    /// Called when the service has acknowledged the start of a context, once for each.
    ///
    /// - Parameter speechlyClient: the client.
    func speechlyClientDidStartContext(_ speechlyClient: SpeechlyProtocol)

    /// Called when all results of a started context are in, or it failed; once for each.
    ///
    /// - Parameter speechlyClient: the client.
    func speechlyClientDidStopContext(_ speechlyClient: SpeechlyProtocol)

    /// Called with a segment that is new or has changed.
    ///
    /// Segments of two contexts may come interleaved when one starts before the results of the other are in.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - segment: the whole segment as it is now.
    func speechlyClientDidUpdateSegment(_ speechlyClient: SpeechlyProtocol, segment: Segment)

    /// Called with each word that a message brought, before the segment it belongs to.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - contextId: the context of the word.
    ///   - segmentId: the segment of the word.
    ///   - transcript: the word.
    func speechlyClientDidReceiveTranscript(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, transcript: Transcript
    )

    /// Called with each entity that a message brought, before the segment it belongs to.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - contextId: the context of the entity.
    ///   - segmentId: the segment of the entity.
    ///   - entity: the entity.
    func speechlyClientDidReceiveEntity(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, entity: Entity
    )

    /// Called with each intent that a message brought, before the segment it belongs to.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - contextId: the context of the intent.
    ///   - segmentId: the segment of the intent.
    ///   - intent: the intent.
    func speechlyClientDidReceiveIntent(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, intent: Intent
    )

    /// Called when the voice activity detector has heard speech; a context of its own starts with it, if it controls
    /// listening.
    ///
    /// - Parameter speechlyClient: the client.
    func speechlyClientDidStartSpeech(_ speechlyClient: SpeechlyProtocol)

    /// Called when the speech has ended; once for each start.
    ///
    /// - Parameter speechlyClient: the client.
    func speechlyClientDidEndSpeech(_ speechlyClient: SpeechlyProtocol)

    /// Called when something about the microphone's audio makes recognition unlikely. Nothing ends.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - warning: what it is.
    func speechlyClientDidWarn(_ speechlyClient: SpeechlyProtocol, warning: AudioRecorderWarning)

    /// Called 20 times a second while the microphone records.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - level: how loud it is.
    func speechlyClientDidMeasureLevel(_ speechlyClient: SpeechlyProtocol, level: AudioLevel)

    /// Called when the microphone's device is gone during a recording, and when it is back.
    ///
    /// - Parameters:
    ///   - speechlyClient: the client.
    ///   - isAvailable: whether it is there.
    func speechlyClientDidChangeAvailability(_ speechlyClient: SpeechlyProtocol, isAvailable: Bool)
}

extension SpeechlyDelegate {
    /// Does nothing.
    public func speechlyClient(_ speechlyClient: SpeechlyProtocol, didChangeState change: ClientStateChange) {}
    /// Does nothing.
    public func speechlyClientDidCatchError(_ speechlyClient: SpeechlyProtocol, error: SpeechlyError) {}
    /// Does nothing.
    public func speechlyClientDidStartContext(_ speechlyClient: SpeechlyProtocol) {}
    /// Does nothing.
    public func speechlyClientDidStopContext(_ speechlyClient: SpeechlyProtocol) {}
    /// Does nothing.
    public func speechlyClientDidUpdateSegment(_ speechlyClient: SpeechlyProtocol, segment: Segment) {}
    /// Does nothing.
    public func speechlyClientDidReceiveTranscript(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, transcript: Transcript
    ) {}
    /// Does nothing.
    public func speechlyClientDidReceiveEntity(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, entity: Entity
    ) {}
    /// Does nothing.
    public func speechlyClientDidReceiveIntent(
        _ speechlyClient: SpeechlyProtocol, contextId: String, segmentId: Int, intent: Intent
    ) {}
    /// Does nothing.
    public func speechlyClientDidStartSpeech(_ speechlyClient: SpeechlyProtocol) {}
    /// Does nothing.
    public func speechlyClientDidEndSpeech(_ speechlyClient: SpeechlyProtocol) {}
    /// Does nothing.
    public func speechlyClientDidWarn(_ speechlyClient: SpeechlyProtocol, warning: AudioRecorderWarning) {}
    /// Does nothing.
    public func speechlyClientDidMeasureLevel(_ speechlyClient: SpeechlyProtocol, level: AudioLevel) {}
    /// Does nothing.
    public func speechlyClientDidChangeAvailability(_ speechlyClient: SpeechlyProtocol, isAvailable: Bool) {}
}
