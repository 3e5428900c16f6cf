import SpeechlyProto

/// A message about one segment of a context.
struct SegmentMessage: Hashable, Sendable {
    var segmentId: Int32
    var content: SLUResponse.StreamingResponse
}

/// Turns what is heard of a context into the messages about its segments.
///
/// It keeps the order the protocol asks for: tentative messages only for segments that are not final,
/// each only when something changed; then the final words, entities and the intent, then the end.
struct SegmentAssembler {
    /// The meaning of words.
    private let interpreter: Interpreter
    private let sendsTentativeMeaning: Bool

    private var nextSegment: Int32 = 0
    /// What was last said about the segments that are not final, from `nextSegment` on.
    private var tentative: [TentativeSegment] = []

    private struct TentativeSegment: Hashable {
        var words: [RecognizedWord] = []
        var entities: [InterpretedSegment.Entity] = []
        var intent = ""
    }

    /// - Parameter sendsTentativeMeaning: whether entities and intent are sent before they are final.
    init(interpreter: Interpreter, sendsTentativeMeaning: Bool) {
        self.interpreter = interpreter
        self.sendsTentativeMeaning = sendsTentativeMeaning
    }

    /// The messages that follow from what has probably been said since the last final segment.
    mutating func update(_ words: [RecognizedWord]) -> [SegmentMessage] {
        let segments = words.isEmpty ? [] : interpreter.tentativeSegments(of: words.map(\.text))
        var messages: [SegmentMessage] = []
        for index in 0..<max(segments.count, tentative.count) {
            var current = TentativeSegment()
            if index < segments.count {
                let segment = segments[index]
                current.words = Array(words[segment.words])
                if sendsTentativeMeaning {
                    current.entities = segment.entities
                    current.intent = segment.intent
                }
            }
            if index == tentative.count { tentative.append(TentativeSegment()) }
            let previous = tentative[index]
            guard current != previous else { continue }
            tentative[index] = current
            messages += Self.messages(
                from: previous, to: current, segmentId: nextSegment + Int32(index))
        }
        return messages
    }

    private static func messages(
        from previous: TentativeSegment, to current: TentativeSegment, segmentId: Int32
    ) -> [SegmentMessage] {
        var contents: [SLUResponse.StreamingResponse] = []
        if current.words != previous.words {
            contents.append(
                .tentativeTranscript(
                    SLUTentativeTranscript(
                        tentativeTranscript: current.words.map(\.text).joined(separator: " "),
                        tentativeWords: current.words.enumerated().map(Self.transcript))))
        }
        if current.entities != previous.entities {
            contents.append(
                .tentativeEntities(SLUTentativeEntities(tentativeEntities: current.entities.map(\.message))))
        }
        if current.intent != previous.intent {
            contents.append(.tentativeIntent(SLUIntent(intent: current.intent)))
        }
        return contents.map { SegmentMessage(segmentId: segmentId, content: $0) }
    }

    /// The messages that make the words final, and with them the segments they form.
    ///
    /// Without words there is no segment; what was tentative is taken back.
    mutating func finalize(_ words: [RecognizedWord]) -> [SegmentMessage] {
        guard !words.isEmpty else { return update([]) }
        let segments = self.segments(of: words)
        var messages: [SegmentMessage] = []
        for segment in segments {
            var contents = words[segment.words].enumerated().map {
                SLUResponse.StreamingResponse.transcript(Self.transcript($0.offset, $0.element))
            }
            contents += segment.entities.map { .entity($0.message) }
            // In every segment, also when there is none: some clients wait for it.
            contents.append(.intent(SLUIntent(intent: segment.intent)))
            contents.append(.segmentEnd(SLUSegmentEnd()))
            messages += contents.map { SegmentMessage(segmentId: nextSegment, content: $0) }
            nextSegment += 1
            if !tentative.isEmpty { tentative.removeFirst() }
        }
        return messages + update([])
    }

    /// Doubtful words are segments of their own, which mean nothing.
    private func segments(of words: [RecognizedWord]) -> [InterpretedSegment] {
        var result: [InterpretedSegment] = []
        var start = 0
        while start < words.count {
            let isDoubtful = words[start].isDoubtful
            let end = words[start...].firstIndex { $0.isDoubtful != isDoubtful } ?? words.count
            let found =
                isDoubtful
                ? [InterpretedSegment(words: 0..<end - start, intent: "", entities: [])]
                : interpreter.segments(of: words[start..<end].map(\.text))
            result += found.map { segment in
                var segment = segment
                segment.words = segment.words.lowerBound + start..<segment.words.upperBound + start
                return segment
            }
            start = end
        }
        return result
    }

    private static func transcript(_ index: Int, _ word: RecognizedWord) -> SLUTranscript {
        SLUTranscript(
            word: word.text, index: Int32(clamping: index), startTime: Int32(clamping: word.startTime),
            endTime: Int32(clamping: word.endTime))
    }
}
