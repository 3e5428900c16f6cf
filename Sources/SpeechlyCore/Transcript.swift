import Foundation

/// A single word recognised from the audio.
///
/// The phrase "two glasses" has two transcripts, "two" and "glasses".
public struct Transcript: Hashable, Sendable, Codable {
    /// The position of the word in its segment. Indices are unique within a segment and increase, but need
    /// neither start at 0 nor be dense.
    public let index: Int

    /// The word itself, in the letter case the service sent.
    public let value: String

    /// Where the word begins, in seconds from the start of the context's audio.
    public let startOffset: TimeInterval

    /// Where the word ends, in seconds from the start of the context's audio.
    public let endOffset: TimeInterval

    /// Whether the word is final. A word that is not final may still change or disappear.
    public let isFinal: Bool

    /// Creates a transcript.
    ///
    /// - Parameters:
    ///   - index: the position of the word in its segment.
    ///   - value: the word.
    ///   - startOffset: where the word begins, in seconds from the start of the context's audio.
    ///   - endOffset: where the word ends, in seconds from the start of the context's audio.
    ///   - isFinal: whether the word is final.
    public init(index: Int, value: String, startOffset: TimeInterval, endOffset: TimeInterval, isFinal: Bool) {
        self.index = index
        self.value = value
        self.startOffset = startOffset
        self.endOffset = endOffset
        self.isFinal = isFinal
    }
}

extension Transcript: Identifiable {
    /// The index of the word, unique within its segment.
    public var id: Int { index }
}

extension Transcript: Comparable {
    /// Orders by index; ties by value, start, end, and tentative before final.
    public static func < (lhs: Transcript, rhs: Transcript) -> Bool {
        if lhs.index != rhs.index { return lhs.index < rhs.index }
        if lhs.value != rhs.value { return lhs.value < rhs.value }
        if lhs.startOffset != rhs.startOffset { return lhs.startOffset < rhs.startOffset }
        if lhs.endOffset != rhs.endOffset { return lhs.endOffset < rhs.endOffset }
        return !lhs.isFinal && rhs.isFinal
    }
}
