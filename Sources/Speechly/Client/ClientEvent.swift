import SpeechlyAudio
import SpeechlyCore

/// Something that happened in a client, in the order of happening. What the delegate gets, as values.
public enum ClientEvent: Sendable, Hashable {
    /// The service has acknowledged the start of a context.
    case contextStarted(contextId: String)
    /// A message brought a word; `segmentUpdated` follows.
    case transcript(contextId: String, segmentId: Int, Transcript)
    /// A message brought an entity; `segmentUpdated` follows.
    case entity(contextId: String, segmentId: Int, Entity)
    /// A message brought an intent; `segmentUpdated` follows.
    case intent(contextId: String, segmentId: Int, Intent)
    /// A segment is new or has changed.
    case segmentUpdated(Segment)
    /// A started context is complete, or has failed (`failure` comes before); it holds its final segments.
    case contextStopped(AudioContext)
    /// The voice activity detector has heard speech.
    case speechStarted
    /// The speech has ended.
    case speechEnded
    /// Something about the microphone's audio makes recognition unlikely.
    case warning(AudioRecorderWarning)
    /// The microphone is gone, or back.
    case availabilityChanged(Bool)
    /// The client is in another state.
    case stateChanged(ClientStateChange)
    /// Something failed.
    case failure(Failure)
    /// The reader of the sequence was too slow: so many of the oldest events are missing here.
    case dropped(Int)
}
