extension Segment {
    /// Applies a message to the segment.
    ///
    /// - Returns: the update, or `nil` when the segment is final and nothing changed.
    mutating func take(_ content: RecognitionMessage.Content) -> SegmentUpdate? {
        guard !isFinal else { return nil }
        switch content {
        case .tentativeTranscript(let words):
            let taken = replaceTentative(transcripts: words)
            return SegmentUpdate(segment: self, transcripts: taken)
        case .tentativeEntities(let list):
            let taken = replaceTentative(entities: list)
            return SegmentUpdate(segment: self, entities: taken)
        case .tentativeIntent(let value):
            guard !intent.isFinal else { return SegmentUpdate(segment: self) }
            intent = Intent(value: value.value, isFinal: false)
            return SegmentUpdate(segment: self, intent: intent)
        case .transcript(let word):
            let final = word.marked(final: true)
            transcripts = transcripts.filter { $0.index != final.index } + [final]
            return SegmentUpdate(segment: self, transcripts: [final])
        case .entity(let entity):
            let final = entity.marked(final: true)
            entities =
                entities.filter { $0.isFinal ? $0.id != final.id : !$0.overlaps(final) } + [final]
            return SegmentUpdate(segment: self, entities: [final])
        case .intent(let value):
            intent = Intent(value: value.value, isFinal: true)
            return SegmentUpdate(segment: self, intent: intent)
        case .segmentEnd:
            finalise()
            return SegmentUpdate(segment: self)
        case .started, .finished:
            return SegmentUpdate(segment: self)
        }
    }

    private mutating func replaceTentative(transcripts words: [Transcript]) -> [Transcript] {
        var byIndex: [Int: Transcript] = [:]
        for word in transcripts where word.isFinal { byIndex[word.index] = word }
        var taken: [Transcript] = []
        for word in words where byIndex[word.index]?.isFinal != true {
            let tentative = word.marked(final: false)
            byIndex[word.index] = tentative
            taken.append(tentative)
        }
        transcripts = byIndex.values.sorted()
        return taken
    }

    private mutating func replaceTentative(entities list: [Entity]) -> [Entity] {
        let final = entities.filter(\.isFinal)
        var byId: [Entity.ID: Entity] = [:]
        var taken: [Entity] = []
        for entity in list where !final.contains(where: entity.overlaps) {
            let tentative = entity.marked(final: false)
            byId[tentative.id] = tentative
            taken.append(tentative)
        }
        entities = final + byId.values
        return taken
    }

    private mutating func finalise() {
        isFinal = true
        transcripts.removeAll { !$0.isFinal }
        entities.removeAll { !$0.isFinal }
        if !intent.isFinal { intent = Intent(value: "", isFinal: true) }
    }
}

extension Transcript {
    fileprivate func marked(final: Bool) -> Transcript {
        guard isFinal != final else { return self }
        return Transcript(
            index: index, value: value, startOffset: startOffset, endOffset: endOffset, isFinal: final)
    }
}

extension Entity {
    fileprivate func marked(final: Bool) -> Entity {
        guard isFinal != final else { return self }
        return Entity(value: value, type: type, startIndex: startIndex, endIndex: endIndex, isFinal: final)
    }
}
