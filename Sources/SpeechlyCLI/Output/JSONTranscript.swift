import Speechly

/// One JSON object a line for each event.
struct JSONTranscript: TranscriptFormat {
    /// What is heard, in each object: a `file` or a `device`.
    private let source: JSON.Member
    let showsPartial: Bool
    /// The newest segment as printed, without its time: what looks the same is not printed again.
    private var last: [JSON] = []

    init(file: String, showsPartial: Bool) {
        source = JSON.Member(key: "file", value: .string(file))
        self.showsPartial = showsPartial
    }

    init(device: String, showsPartial: Bool) {
        source = JSON.Member(key: "device", value: .string(device))
        self.showsPartial = showsPartial
    }

    mutating func lines(_ event: ClientEvent, at time: Duration) -> [String] {
        let at = JSON.integer(milliseconds(time))
        switch event {
        case .contextStarted(let contextId):
            return line("started", [("contextId", .string(contextId)), ("atMs", at)])
        case .segmentUpdated(let segment):
            guard segment.isFinal || showsPartial else { return [] }
            let object = object(segment)
            defer { last = object.map(\.value) }
            guard segment.isFinal || object.map(\.value) != last else { return [] }
            return ["\(JSON.object(object + [JSON.Member(key: "atMs", value: at)]).text)\n"]
        case .contextStopped(let context):
            return line("finished", [("contextId", .string(context.id)), ("atMs", at)])
        case .failure(let failure):
            // What fails before the context has no id of one.
            let contextId = failure.contextId.map { [("contextId", JSON.string($0))] } ?? []
            return line(
                "error",
                contextId + [
                    ("code", .string(failure.code.rawValue)), ("message", .string(failure.description)), ("atMs", at),
                ])
        case .speechStarted: return line("speechStarted", [("atMs", at)])
        case .speechEnded: return line("speechEnded", [("atMs", at)])
        case .warning(let warning):
            return line(
                "warning",
                [("code", .string(warning.rawValue)), ("message", .string(warning.description)), ("atMs", at)])
        case .availabilityChanged(let isAvailable):
            return line("availability", [("isAvailable", .boolean(isAvailable)), ("atMs", at)])
        default: return []
        }
    }

    private func object(_ segment: Segment) -> [JSON.Member] {
        let rest: [(String, JSON)] = [
            ("contextId", .string(segment.contextId)), ("segmentId", .integer(Int64(segment.segmentId))),
            ("isFinal", .boolean(segment.isFinal)), ("intent", .string(segment.intent.value)),
            ("entities", .entities(segment.entities)), ("text", .string(segment.text)),
            ("words", .words(segment.transcripts)),
        ]
        return members("segment", rest)
    }

    private func members(_ event: String, _ rest: [(String, JSON)]) -> [JSON.Member] {
        [JSON.Member(key: "event", value: .string(event)), source] + rest.map { JSON.Member(key: $0.0, value: $0.1) }
    }

    private func line(_ event: String, _ rest: [(String, JSON)]) -> [String] {
        [JSON.object(members(event, rest)).text + "\n"]
    }
}
