import SpeechlyCore

/// A small generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Transcript {
    static func random(using random: inout SplitMix) -> Transcript {
        Transcript(
            index: .random(in: 0..<5, using: &random), value: .word(using: &random),
            startOffset: Double(Int.random(in: 0..<2, using: &random)),
            endOffset: Double(Int.random(in: 0..<2, using: &random)), isFinal: .random(using: &random))
    }
}

extension Entity {
    static func random(using random: inout SplitMix) -> Entity {
        let start = Int.random(in: 0..<4, using: &random)
        return Entity(
            value: .word(using: &random), type: .word(using: &random), startIndex: start,
            endIndex: start + .random(in: 0..<3, using: &random), isFinal: .random(using: &random))
    }
}

extension Intent {
    static func random(using random: inout SplitMix) -> Intent {
        Intent(value: .word(using: &random), isFinal: .random(using: &random))
    }
}

extension Segment {
    static func random(using random: inout SplitMix) -> Segment {
        Segment(
            segmentId: .random(in: 0..<12, using: &random), contextId: .word(using: &random),
            isFinal: .random(using: &random), intent: .random(using: &random),
            entities: (0..<Int.random(in: 0..<3, using: &random)).map { _ in .random(using: &random) },
            transcripts: (0..<Int.random(in: 0..<3, using: &random)).map { _ in .random(using: &random) })
    }
}

extension AudioContext {
    static func random(using random: inout SplitMix) -> AudioContext {
        AudioContext(
            id: .word(using: &random),
            segments: (0..<Int.random(in: 0..<3, using: &random)).map { _ in .random(using: &random) })
    }
}

extension String {
    static func word(using random: inout SplitMix) -> String {
        ["", "a", "b"][Int.random(in: 0..<3, using: &random)]
    }
}
