import Speechly

extension JSON {
    /// Entities as all commands print them.
    static func entities(_ entities: [Entity]) -> JSON {
        .array(
            entities.map { entity in
                [
                    "type": .string(entity.type), "value": .string(entity.value),
                    "startIndex": .integer(Int64(entity.startIndex)), "endIndex": .integer(Int64(entity.endIndex)),
                ]
            })
    }

    /// Words with their times in the context's audio.
    static func words(_ words: [Transcript]) -> JSON {
        .array(
            words.map { word in
                [
                    "index": .integer(Int64(word.index)), "value": .string(word.value),
                    "startMs": .integer(milliseconds(word.startOffset)),
                    "endMs": .integer(milliseconds(word.endOffset)),
                ]
            })
    }
}

extension Segment {
    /// The words of the segment, separated by blanks, as the service sent them.
    var text: String { transcripts.map(\.value).joined(separator: " ") }
}

/// Seconds as whole milliseconds; what no number of milliseconds can be is 0.
func milliseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1000).rounded()) ?? 0 }

/// A duration as whole milliseconds.
func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
}
