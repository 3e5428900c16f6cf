/// Where a speaker has paused between one complete utterance and the next.
///
/// What is known of the sound of one says little about the next, and heard together they spoil each other: a search
/// that may put a word into the silence between them does so.
enum UtteranceParts {
    /// A silence as long as this, in frames of 10 ms, may be the pause between two utterances.
    static let pause = 12

    /// - Parameters:
    ///   - segments: what was heard, from frame 0 on.
    ///   - isComplete: whether what was heard in a row is complete in itself.
    /// - Returns: the frames at which one part ends and the next begins, in the middle of pauses; empty where
    ///   all belongs together.
    static func borders(
        in segments: [PocketSphinxDecoder.Segment], isComplete: (ArraySlice<PocketSphinxDecoder.Segment>) -> Bool
    ) -> [Int] {
        var borders: [Int] = []
        var start = segments.startIndex
        for (index, segment) in segments.enumerated()
        where segment.token == "<sil>" && segment.frames.count >= pause && index > start {
            guard isComplete(segments[start..<index]), isComplete(segments[index...]) else { continue }
            borders.append((segment.frames.lowerBound + segment.frames.upperBound) / 2)
            start = index + 1
        }
        return borders
    }
}
