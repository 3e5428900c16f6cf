import Speechly

/// Segments as a person reads them: intent, then the words with entities marked as SAL marks them.
enum ReadableText {
    /// A segment as `intent: words [spoken](type) words`; the value stands beside the spoken words where it differs
    /// from them: `[spoken|value](type)`.
    static func line(_ segment: Segment) -> String {
        line(
            intent: segment.intent.value, words: segment.transcripts.map { ($0.index, $0.value) },
            entities: segment.entities)
    }

    static func line(intent: String, words: [(index: Int, value: String)], entities: [Entity]) -> String {
        var parts: [String] = []
        var rest = words[...]
        while let word = rest.first {
            let entity = entities.first { $0.startIndex <= word.index && word.index < $0.endIndex }
            let covered = rest.prefix { entity != nil && $0.index < entity?.endIndex ?? 0 }
            if let entity, !covered.isEmpty {
                let spoken = covered.map(\.value).joined(separator: " ")
                let value = spoken.lowercased() == entity.value.lowercased() ? spoken : "\(spoken)|\(entity.value)"
                parts.append("[\(value)](\(entity.type))")
                rest = rest.dropFirst(covered.count)
            } else {
                parts.append(word.value)
                rest = rest.dropFirst()
            }
        }
        let text = parts.joined(separator: " ")
        return intent.isEmpty ? text : "\(intent): \(text)"
    }
}
