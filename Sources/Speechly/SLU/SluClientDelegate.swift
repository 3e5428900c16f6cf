import SpeechlyGRPC
import SpeechlyProto

/// Receives what the service sends on an SLU stream.
///
/// All methods have an implementation that does nothing. They are called on the client's delegate queue, in the
/// order in which the messages came.
public protocol SluClientDelegate: AnyObject {
    /// All words of a segment that are not final.
    typealias TentativeTranscript = SLUTentativeTranscript
    /// All entities of a segment that are not final.
    typealias TentativeEntities = SLUTentativeEntities
    /// An intent that is not final.
    typealias TentativeIntent = SLUIntent
    /// A final word.
    typealias Transcript = SLUTranscript
    /// A final entity.
    typealias Entity = SLUEntity
    /// A final intent.
    typealias Intent = SLUIntent

    /// Called when a message cannot be decoded. The message is lost, the stream goes on.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - error: a `ProtoError` that names the message.
    func sluClientDidCatchError(_ sluClient: SluClientProtocol, error: Error)

    /// Called when the stream has ended, once for each stream that `connect` opened.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - status: how it ended.
    func sluClientDidStopStream(_ sluClient: SluClientProtocol, status: GRPCStatus)

    /// Called when the service has started a context.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context. The n-th context that starts belongs to the n-th start of the stream.
    func sluClientDidReceiveContextStart(_ sluClient: SluClientProtocol, contextId: String)

    /// Called when all results of a context have come.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context.
    func sluClientDidReceiveContextStop(_ sluClient: SluClientProtocol, contextId: String)

    /// Called when all results of a segment have come.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    func sluClientDidReceiveSegmentEnd(_ sluClient: SluClientProtocol, contextId: String, segmentId: Int)

    /// Called with all words of a segment that are not final.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - transcript: the words; they replace those sent before.
    func sluClientDidReceiveTentativeTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: TentativeTranscript
    )

    /// Called with all entities of a segment that are not final.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - entities: the entities; they replace those sent before.
    func sluClientDidReceiveTentativeEntities(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entities: TentativeEntities
    )

    /// Called with an intent that is not final.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - intent: the intent.
    func sluClientDidReceiveTentativeIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: TentativeIntent
    )

    /// Called with a final word.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - transcript: the word.
    func sluClientDidReceiveTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: Transcript
    )

    /// Called with a final entity.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - entity: the entity.
    func sluClientDidReceiveEntity(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entity: Entity
    )

    /// Called with a final intent.
    ///
    /// - Parameters:
    ///   - sluClient: the client.
    ///   - contextId: the context of the segment.
    ///   - segmentId: the segment.
    ///   - intent: the intent.
    func sluClientDidReceiveIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: Intent
    )
}

extension SluClientDelegate {
    /// Does nothing.
    public func sluClientDidCatchError(_ sluClient: SluClientProtocol, error: Error) {}
    /// Does nothing.
    public func sluClientDidStopStream(_ sluClient: SluClientProtocol, status: GRPCStatus) {}
    /// Does nothing.
    public func sluClientDidReceiveContextStart(_ sluClient: SluClientProtocol, contextId: String) {}
    /// Does nothing.
    public func sluClientDidReceiveContextStop(_ sluClient: SluClientProtocol, contextId: String) {}
    /// Does nothing.
    public func sluClientDidReceiveSegmentEnd(_ sluClient: SluClientProtocol, contextId: String, segmentId: Int) {}
    /// Does nothing.
    public func sluClientDidReceiveTentativeTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: TentativeTranscript
    ) {}
    /// Does nothing.
    public func sluClientDidReceiveTentativeEntities(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entities: TentativeEntities
    ) {}
    /// Does nothing.
    public func sluClientDidReceiveTentativeIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: TentativeIntent
    ) {}
    /// Does nothing.
    public func sluClientDidReceiveTranscript(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: Transcript
    ) {}
    /// Does nothing.
    public func sluClientDidReceiveEntity(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, entity: Entity
    ) {}
    /// Does nothing.
    public func sluClientDidReceiveIntent(
        _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, intent: Intent
    ) {}
}
