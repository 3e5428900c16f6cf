import SpeechlyProto

/// A message from the server to the client, without the context id: the server fills in the context
/// that the message answers.
public struct MockMessage: Hashable, Sendable {
    /// The context to name, where it is not to be the one that the message answers.
    public var contextId: String?
    /// The segment the message is about.
    public var segmentId: Int32
    /// What the message says; `nil` makes a message of a kind the client does not know.
    public var content: SLUResponse.StreamingResponse?

    /// A message from its parts.
    public init(
        _ content: SLUResponse.StreamingResponse?, segmentId: Int32 = 0, contextId: String? = nil
    ) {
        self.content = content
        self.segmentId = segmentId
        self.contextId = contextId
    }

    /// The same message about another segment.
    public func segment(_ id: Int32) -> MockMessage { MockMessage(content, segmentId: id, contextId: contextId) }

    /// The same message with this context id, known to the client or not.
    public func context(_ id: String) -> MockMessage { MockMessage(content, segmentId: segmentId, contextId: id) }

    /// The context is open.
    public static var started: MockMessage { MockMessage(.started(SLUStarted())) }

    /// The last message of a context.
    public static var finished: MockMessage { MockMessage(.finished(SLUFinished())) }

    /// The last message of a segment.
    public static var segmentEnd: MockMessage { MockMessage(.segmentEnd(SLUSegmentEnd())) }

    /// All words heard so far, separated by blanks. Word `n` is given the times `n × 300` to `n × 300 + 240` ms.
    public static func tentativeTranscript(_ text: String) -> MockMessage {
        let words = text.split(separator: " ").enumerated().map { word(String($0.element), index: Int32($0.offset)) }
        return MockMessage(
            .tentativeTranscript(SLUTentativeTranscript(tentativeTranscript: text, tentativeWords: words)))
    }

    /// A final word. Its times are `index × 300` to `index × 300 + 240` ms.
    public static func transcript(_ word: String, index: Int32) -> MockMessage {
        MockMessage(.transcript(Self.word(word, index: index)))
    }

    /// All entities that are not final yet.
    public static func tentativeEntities(_ entities: [SLUEntity]) -> MockMessage {
        MockMessage(.tentativeEntities(SLUTentativeEntities(tentativeEntities: entities)))
    }

    /// A final entity over the words `start ..< end`.
    public static func entity(_ type: String, value: String, start: Int32, end: Int32) -> MockMessage {
        MockMessage(.entity(SLUEntity(entity: type, value: value, startPosition: start, endPosition: end)))
    }

    /// An intent that may still change.
    public static func tentativeIntent(_ intent: String) -> MockMessage {
        MockMessage(.tentativeIntent(SLUIntent(intent: intent)))
    }

    /// The final intent.
    public static func intent(_ intent: String) -> MockMessage { MockMessage(.intent(SLUIntent(intent: intent))) }

    /// A round-trip measurement that the client is to answer at once.
    public static func roundTripRequest(id: Int32) -> MockMessage {
        MockMessage(.rttRequest(RoundTripMeasurementRequest(id: id)))
    }

    func response(contextId current: String) -> SLUResponse {
        SLUResponse(audioContext: contextId ?? current, segmentId: segmentId, streamingResponse: content)
    }

    private static func word(_ word: String, index: Int32) -> SLUTranscript {
        let start = index.multipliedReportingOverflow(by: 300).partialValue
        return SLUTranscript(word: word, index: index, startTime: start, endTime: start &+ 240)
    }
}
