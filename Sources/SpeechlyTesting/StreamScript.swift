import SpeechlyGRPC
import SpeechlyProto

/// What the mock server does on one stream: actions, and what sets them off.
///
/// A script made with ``init(automatic:)`` behaves well by itself: it answers each start with `started`,
/// each stop with `finished`, and half-close with OK, around the actions added with ``on(_:_:)``.
///
/// ```swift
/// let script = StreamScript()
///     .on(.audio(3_200), .send(.tentativeTranscript("turn on")))
///     .on(.stop(), .send(.transcript("turn", index: 0)), .send(.segmentEnd))
/// ```
public struct StreamScript: Sendable {
    /// What sets actions off. Contexts are counted from 1 in the order of their starts on the stream;
    /// `nil` is every context.
    public enum Trigger: Hashable, Sendable {
        /// The call is there; nothing has been received on it.
        case opened
        /// The configuration, the first message of a stream.
        case config
        /// The start of a context.
        case start(Int? = nil)
        /// This many bytes of audio of a context have been received.
        case audio(Int, context: Int? = nil)
        /// The stop of a context.
        case stop(Int? = nil)
        /// The client sends no more.
        case halfClose
        /// The test called ``MockSpeechlyServer/trigger(_:)`` with this name.
        case demand(String)
    }

    /// One thing the server does.
    public enum Action: Sendable {
        /// Sends a message about the context that set the action off (else the newest one).
        case send(MockMessage)
        /// Sends bytes as a message, valid or not.
        case sendBytes([UInt8])
        /// Does nothing for this long, by the server's clock.
        case wait(Duration)
        /// Ends the stream with a status.
        case end(GRPCStatus)
        /// Resets the stream without a status.
        case reset
        /// Breaks every connection of the server at once, as a dead network does.
        case dropConnections
        /// Stops reading from the stream, so that the client's sends pile up.
        case stopReading
        /// Reads from the stream again.
        case resumeReading
    }

    struct Rule: Sendable {
        let trigger: Trigger
        let actions: [Action]
    }

    /// Whether starts, stops and half-close are answered without being scripted.
    public let automatic: Bool
    private(set) var rules: [Rule] = []
    var dictation: Dictation?

    /// A script without actions.
    ///
    /// - Parameter automatic: Whether the server answers starts, stops and half-close by itself: `started`
    ///   comes before the actions of that start, `finished` and OK after those of the stop and half-close.
    public init(automatic: Bool = true) {
        self.automatic = automatic
    }

    /// The script with further actions. Those of one trigger are done in the order in which they were added,
    /// and all actions of a stream one after the other, in the order in which they were set off.
    public func on(_ trigger: Trigger, _ actions: Action...) -> StreamScript {
        var script = self
        script.rules.append(Rule(trigger: trigger, actions: actions))
        return script
    }

    /// A script that hears the same in every context: all words tentatively after the first audio, then,
    /// after the stop, the final words, entities and the intent of one segment.
    ///
    /// - Parameters:
    ///   - text: Words separated by blanks.
    ///   - intent: The intent, empty for none.
    ///   - entities: Entities by their word positions, the end exclusive.
    public static func hears(_ text: String, intent: String = "", entities: [SLUEntity] = []) -> StreamScript {
        let words = text.split(separator: " ").enumerated()
        var final = words.map { Action.send(.transcript(String($0.element), index: Int32($0.offset))) }
        final += entities.map { Action.send(MockMessage(.entity($0))) }
        final += [.send(.intent(intent)), .send(.segmentEnd)]
        var script = StreamScript().on(.audio(1), .send(.tentativeTranscript(text)))
        script.rules.append(Rule(trigger: .stop(), actions: final))
        return script
    }

    /// A script that hears what the audio says: it is cut into words of equal length, and a word's name is the value
    /// of its first sample, `w42`. A word becomes final as soon as its audio is there; a segment ends after so many
    /// words, and at the stop.
    ///
    /// - Parameters:
    ///   - wordBytes: The bytes of one word, even and positive. Times are counted at 32,000 bytes a second.
    ///   - wordsPerSegment: The words of one segment.
    public static func dictation(wordBytes: Int = 32_000, wordsPerSegment: Int = 4) -> StreamScript {
        var script = StreamScript()
        script.dictation = Dictation(wordBytes: max(2, wordBytes), wordsPerSegment: max(1, wordsPerSegment))
        return script
    }
}
