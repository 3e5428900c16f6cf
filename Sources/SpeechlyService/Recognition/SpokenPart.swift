/// Where in an utterance somebody speaks.
///
/// The mean of a sound that is mostly silence says nothing about the voice in it.
enum SpokenPart {
    /// 10 ms, the engine's frame: what precedes the part is a whole number of them.
    static let frame = 160
    /// 100 ms.
    private static let piece = 10 * frame
    /// A piece with less than this part of the loudest one's amplitude is no speech: 16 dB below it.
    private static let quiet = 0.15
    /// What is kept before and after, in samples: weak sounds at the ends, and enough silence to know it by.
    private static let before = 30 * frame
    private static let after = 50 * frame

    static func range(in samples: ArraySlice<Int16>) -> Range<Int> {
        let start = samples.startIndex
        let powers = stride(from: start, to: samples.endIndex, by: piece).map { start in
            samples[start..<min(start + piece, samples.endIndex)].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let least = (powers.max() ?? 0) * quiet * quiet
        guard let first = powers.firstIndex(where: { $0 > least }), let last = powers.lastIndex(where: { $0 > least })
        else { return samples.indices }
        return max(start, start + first * piece - before)..<min(samples.endIndex, start + (last + 1) * piece + after)
    }
}
