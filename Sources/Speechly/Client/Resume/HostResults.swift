import SpeechlyCore

/// What the host has of an utterance, and how the service's contexts for it become one.
///
/// The first context of an utterance is the host's own. When its stream breaks, a further context hears the audio
/// again from the end of the last final segment, with times, segments and indices of its own: they are brought into
/// the host's terms here, and what the host has as final already is dropped.
struct HostResults: Hashable {
    /// A segment that has not ended.
    private struct OpenSegment: Hashable {
        var end = 0.0
        var lastIndex: Int?
        var entities: Set<Entity.ID> = []
        var intent: String?
    }

    /// Up to where final segments cover the audio, in seconds.
    private(set) var covered = 0.0
    /// The end of the last final word, in seconds.
    private(set) var finalEnd = 0.0
    /// The segment after the last final one.
    private(set) var nextSegment = 0
    /// The segment after the last that was heard of.
    private(set) var unheardSegment = 0
    private var open: [Int: OpenSegment] = [:]
    private var lastIndex: Int?
    /// Whether the service counts words through the whole context, not by segment; `nil` until it shows.
    private var runsOn: Bool?

    /// Whether anything is final that a repetition could bring again.
    private var lastFinalSegment: Int?

    /// How one context of the service continues what the host has.
    struct Continuation: Hashable {
        /// Where its audio begins, in seconds of the utterance.
        var origin = 0.0
        /// The host's number of its segment 0.
        var firstSegment = 0
        /// Words before this time the host has already.
        var knownUntil = 0.0
        /// The host's last index before its words.
        var lastIndex: Int?
        /// The last of its words that the host has already, by segment.
        var dropped: [Int: Int] = [:]
    }

    /// A context that hears the audio again from what is covered on.
    func replay() -> Continuation {
        Continuation(
            origin: covered, firstSegment: nextSegment, knownUntil: finalEnd,
            lastIndex: runsOn == true ? lastIndex : open[nextSegment]?.lastIndex)
    }

    /// A context that goes on where another one has stopped.
    func follow(origin: Double) -> Continuation {
        Continuation(origin: origin, firstSegment: unheardSegment, lastIndex: runsOn == true ? lastIndex : nil)
    }

    /// The context that the audio belonged to up to here is complete: final segments cover all of it.
    mutating func complete(upTo time: Double) {
        covered = max(covered, time)
        nextSegment = max(nextSegment, unheardSegment)
        open = [:]
    }

    /// Takes a message of a context.
    ///
    /// - Returns: the message in the host's terms; `nil` when it holds nothing that is new.
    mutating func take(
        _ content: RecognitionMessage.Content, segment: Int, from context: inout Continuation
    ) -> (segment: Int, content: RecognitionMessage.Content)? {
        let number = context.firstSegment &+ segment
        unheardSegment = max(unheardSegment, number &+ 1)
        switch content {
        case .tentativeTranscript(let words):
            let kept = words.compactMap { word(of: $0, segment, number, &context) }
            return (number, .tentativeTranscript(kept))
        case .transcript(let transcript):
            guard let word = word(of: transcript, segment, number, &context) else { return nil }
            keep(word, number)
            return (number, .transcript(word))
        case .tentativeEntities(let list):
            let kept = list.map { entity(of: $0, segment, number, context) }
                .filter { open[number]?.entities.contains($0.id) != true }
            return (number, .tentativeEntities(kept))
        case .entity(let raw):
            let entity = entity(of: raw, segment, number, context)
            guard open[number, default: OpenSegment()].entities.insert(entity.id).inserted || context.knownUntil == 0
            else { return nil }
            return (number, .entity(entity))
        case .intent(let intent):
            if context.knownUntil > 0, open[number]?.intent == intent.value { return nil }
            open[number, default: OpenSegment()].intent = intent.value
            return (number, content)
        case .segmentEnd:
            let ended = open.removeValue(forKey: number)
            if number > context.firstSegment, context.dropped[segment] != nil, ended?.lastIndex == nil {
                // All its words are in an earlier segment of the host's: to the host it does not exist.
                context.firstSegment -= 1
                unheardSegment = number
                return nil
            }
            let end = ended?.end ?? 0
            covered = max(covered, end)
            nextSegment = max(nextSegment, number &+ 1)
            return (number, content)
        case .tentativeIntent, .started, .finished: return (number, content)
        }
    }

    private func word(
        of word: Transcript, _ segment: Int, _ number: Int, _ context: inout Continuation
    ) -> Transcript? {
        let start = context.origin + word.startOffset
        let end = context.origin + word.endOffset
        // The middle decides: the second hearing puts the borders of a word a little differently.
        if (start + end) / 2 < context.knownUntil {
            context.dropped[segment] = max(context.dropped[segment] ?? word.index, word.index)
            return nil
        }
        let shift = shift(segment, number, context)
        guard shift != 0 || context.origin != 0 else { return word }
        return Transcript(
            index: word.index &+ shift, value: word.value, startOffset: start, endOffset: end, isFinal: word.isFinal)
    }

    private func entity(of entity: Entity, _ segment: Int, _ number: Int, _ context: Continuation) -> Entity {
        let shift = shift(segment, number, context)
        guard shift != 0 else { return entity }
        return Entity(
            value: entity.value, type: entity.type, startIndex: entity.startIndex &+ shift,
            endIndex: entity.endIndex &+ shift, isFinal: entity.isFinal)
    }

    /// What makes the host's index of the context's index.
    private func shift(_ segment: Int, _ number: Int, _ context: Continuation) -> Int {
        if runsOn == true {
            guard let last = context.lastIndex else { return 0 }
            return last - (context.dropped.values.max() ?? -1)
        }
        if segment == 0, let last = context.lastIndex {
            return last - (context.dropped[segment] ?? -1)
        }
        // Words at the front of a segment that the host has in the segment before.
        return context.dropped[segment].map { -1 - $0 } ?? 0
    }

    private mutating func keep(_ word: Transcript, _ number: Int) {
        if runsOn == nil, let last = lastIndex, let lastFinalSegment, number > lastFinalSegment {
            runsOn = word.index > last
        }
        lastFinalSegment = number
        lastIndex = word.index
        var segment = open[number, default: OpenSegment()]
        segment.end = max(segment.end, word.endOffset)
        segment.lastIndex = max(segment.lastIndex ?? word.index, word.index)
        open[number] = segment
        finalEnd = max(finalEnd, word.endOffset)
    }
}
