/// How well the sound of an utterance fits what was heard, phone by phone, beside what else it could have been.
struct SoundEvidence {
    struct Phone {
        /// The number of the word in the hypothesis; `nil` for silence.
        var word: Int?
        var phone: Int
        /// Of 10 ms.
        var frames = 0
        /// The sums, over the frames, of how much better the phone fits than what any phones in a row make of them,
        /// and than the best part of any phone in each frame: logarithms, hardly ever above 0.
        var againstLoop: Float = 0
        var againstBest: Float = 0
        /// Frames in which the phones in a row have the same phone, and silence.
        var same = 0
        var silent = 0
        /// The mean of the first coefficient, which says how loud the frames are.
        var loudness: Float = 0
    }

    let phones: [Phone]

    /// - Parameters:
    ///   - words: the phones of each word in the order of the utterance; `nil` for a silence.
    ///   - cepstra: the sound, 13 coefficients a frame.
    /// - Returns: `nil` without words, or if there are fewer frames than the words need.
    init?(words: [[Int]?], cepstra: [Float], model: AcousticModel) {
        var parts: [(word: Int?, phones: [Int])] = [(nil, [model.silence])]
        var count = 0
        for word in words {
            if let word {
                parts.append((count, word))
                count += 1
            } else if parts.last?.word != nil {
                parts.append((nil, [model.silence]))
            }
        }
        guard count > 0 else { return nil }
        if parts.last?.word != nil { parts.append((nil, [model.silence])) }
        let sound = SoundScores(SoundFeatures(cepstra: cepstra), model: model)
        guard let alignment = ForcedAlignment(parts, sound: sound, model: model) else { return nil }
        let loop = PhoneLoop(sound, model: model)
        phones = alignment.phones.map { part in
            var phone = Phone(word: part.word, phone: part.phone, frames: part.frames.count)
            for frame in part.frames {
                phone.againstLoop += alignment.scores[frame] - loop.scores[frame]
                phone.againstBest += alignment.scores[frame] - loop.bounds[frame]
                if loop.phones[frame] == part.phone { phone.same += 1 }
                if loop.phones[frame] == model.silence { phone.silent += 1 }
                phone.loudness += cepstra[frame * AcousticModel.width]
            }
            phone.loudness /= Float(max(1, phone.frames))
            return phone
        }
    }
}
