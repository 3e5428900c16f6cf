import Speechly

/// Puts back the final segments that a sequence of events has lost.
///
/// The client drops the oldest events when their reader is slow, as it is when nobody takes what the tool prints. The
/// end of a context names all its final segments, so none of them needs to be missing.
struct EventRepair {
    private var finalSegments: Set<Int> = []

    /// The event, after the final segments that should have come before it.
    mutating func repaired(_ event: ClientEvent) -> [ClientEvent] {
        switch event {
        case .contextStarted:
            finalSegments = []
        case .segmentUpdated(let segment) where segment.isFinal:
            finalSegments.insert(segment.segmentId)
        case .contextStopped(let context):
            let missing = context.segments.filter { $0.isFinal && !finalSegments.contains($0.segmentId) }
            return missing.map { .segmentUpdated($0) } + [event]
        default: break
        }
        return [event]
    }
}
