import Foundation
import SpeechlyProto

/// A part of what was said, with its meaning.
struct InterpretedSegment: Hashable, Sendable {
    struct Entity: Hashable, Sendable {
        var type: String
        var value: String
        /// Positions in the words of the segment; the end is exclusive.
        var start: Int
        var end: Int

        var message: SLUEntity {
            SLUEntity(
                entity: type, value: value, startPosition: Int32(clamping: start), endPosition: Int32(clamping: end))
        }
    }

    /// The words of the segment, in those that were interpreted.
    var words: Range<Int>
    /// The intent; empty for none.
    var intent: String
    var entities: [Entity]
}

/// Finds the meaning of words: what the configuration says, or nothing without one.
struct Interpreter: Sendable {
    let configuration: SALConfiguration?
    /// Where the speaker is; the zone of this machine unless known.
    var timeZone: TimeZone?
    /// How long a silence ends a segment unless a context says so itself, in milliseconds; 0 for never.
    var silenceTriggeredSegmentation = 0
    var now: @Sendable () -> Date = { Date() }

    init(configuration: SALConfiguration?) {
        self.configuration = configuration
    }

    /// The segments of words that are complete. Every word is in one of them.
    /// - Parameter moment: when and where it was said; now unless given.
    func segments(of words: [String], at moment: SALMoment? = nil) -> [InterpretedSegment] {
        interpret(words) { $0.understand(words, at: moment ?? present) }
    }

    /// The segments of words of which more may come. Every word is in one of them.
    func tentativeSegments(of words: [String]) -> [InterpretedSegment] {
        interpret(words) { $0.understandPrefix(words, at: present) }
    }

    private var present: SALMoment { SALMoment(date: now(), timeZone: timeZone ?? .current) }

    private func interpret(
        _ words: [String], _ understand: (SALConfiguration) -> [SALSegment]
    ) -> [InterpretedSegment] {
        guard !words.isEmpty else { return [] }
        guard let configuration else {
            return [InterpretedSegment(words: words.indices, intent: "", entities: [])]
        }
        return understand(configuration).map { segment in
            InterpretedSegment(
                words: segment.words, intent: segment.intent,
                entities: segment.entities.map {
                    .init(type: $0.type, value: $0.value, start: $0.start, end: $0.end)
                })
        }
    }
}
