extension SoundEvidence {
    /// Whether the sound leaves no more doubt than it does in commands.
    var isConvincing: Bool { score > 0 }

    /// What the utterance's features are worth, above 0 if it is rather a command than anything else.
    ///
    /// All of it is from ``VerificationWeights``, and computed there as here.
    var score: Float {
        typealias Weights = VerificationWeights
        let spoken = phones.filter { $0.word != nil && $0.frames > 0 }
        guard !spoken.isEmpty else { return 0 }
        // How each phone fits, in terms of how it usually does.
        let fits = spoken.map { phone in
            let norm = Weights.norms[phone.phone] ?? Weights.other
            return min(3, max(-6, (phone.againstLoop / Float(phone.frames) - norm.middle) / norm.spread))
        }
        var words: [Int: [Float]] = [:]
        for (phone, fit) in zip(spoken, fits) { words[phone.word ?? 0, default: []].append(fit) }
        let worstWord = words.values.map(Self.mean).min() ?? 0
        let worstQuarter = Self.mean(fits.sorted().prefix(max(1, fits.count / 4)))
        let agreement = Float(spoken.reduce(0) { $0 + $1.same }) / Float(spoken.reduce(0) { $0 + $1.frames })
        // What the hypothesis takes for silence though somebody speaks.
        let loud = spoken.map(\.loudness).sorted()[spoken.count * 4 / 5] - 25
        let missed = phones.filter { $0.word == nil && $0.loudness > loud }.reduce(0) { $0 + $1.frames - $1.silent }
        var score = Weights.constant + Weights.likeness * Self.mean(fits) + Weights.worstWord * worstWord
        score += Weights.worstQuarter * worstQuarter + Weights.agreement * agreement
        return score + Weights.missedSpeech * Float(missed) / 50
    }

    private static func mean(_ values: some Collection<Float>) -> Float {
        values.reduce(0, +) / Float(max(1, values.count))
    }
}
