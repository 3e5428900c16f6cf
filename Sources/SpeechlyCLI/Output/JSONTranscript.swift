import Speechly

/// One JSON object a line for each event.
struct JSONTranscript: TranscriptFormat {
    let file: String
    let showsPartial: Bool
    /// The newest segment as printed, without its time: what looks the same is not printed again.
    private var last: [JSON] = []

    init(file: String, showsPartial: Bool) {
        self.file = file
        self.showsPartial = showsPartial
    }

    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String] {
        let at = JSON.integer(milliseconds(time))
        switch event {
        case .contextStarted(let contextId):
            return line([
                "event": "started", "file": .string(file), "contextId": .string(contextId), "atMs": at,
            ])
        case .segmentUpdated(let segment):
            guard segment.isFinal || showsPartial else { return [] }
            let object = object(segment)
            defer { last = object.map(\.value) }
            guard segment.isFinal || object.map(\.value) != last else { return [] }
            return line(.object(object + [JSON.Member(key: "atMs", value: at)]))
        case .contextStopped(let context):
            return line(["event": "finished", "file": .string(file), "contextId": .string(context.id), "atMs": at])
        case .failure(let failure):
            // Before the context there is nothing that a reader of events could relate the failure to.
            guard let contextId = failure.contextId else { return [] }
            return line([
                "event": "error", "file": .string(file), "contextId": .string(contextId),
                "code": .string(failure.code.rawValue), "message": .string(failure.description), "atMs": at,
            ])
        case .speechStarted:
            return line(["event": "speechStarted", "file": .string(file), "atMs": at])
        case .speechEnded:
            return line(["event": "speechEnded", "file": .string(file), "atMs": at])
        case .warning(let warning):
            return line([
                "event": "warning", "file": .string(file), "code": .string(warning.rawValue),
                "message": .string(warning.description), "atMs": at,
            ])
        case .availabilityChanged(let isAvailable):
            return line([
                "event": "availability", "file": .string(file), "isAvailable": .boolean(isAvailable), "atMs": at,
            ])
        case .transcript, .entity, .intent, .stateChanged, .dropped:
            return []
        }
    }

    private func object(_ segment: Segment) -> [JSON.Member] {
        [
            ("event", "segment"), ("file", .string(file)), ("contextId", .string(segment.contextId)),
            ("segmentId", .integer(Int64(segment.segmentId))), ("isFinal", .boolean(segment.isFinal)),
            ("intent", .string(segment.intent.value)), ("entities", .entities(segment.entities)),
            ("text", .string(segment.text)), ("words", .words(segment.transcripts)),
        ].map { JSON.Member(key: $0.0, value: $0.1) }
    }

    private func line(_ object: JSON) -> [String] { [object.text + "\n"] }
}
