/// Which frames each phone of known words takes, and how well they fit it.
struct ForcedAlignment {
    struct Phone {
        /// The number of the word in the hypothesis; `nil` for silence.
        var word: Int?
        var phone: Int
        var frames: Range<Int>
    }

    let phones: [Phone]
    /// The score of each frame.
    let scores: [Float]

    /// - Parameter words: the phones of each word, by their numbers in the model; those of a silence have no word.
    /// - Returns: `nil` if there are fewer frames than the words need.
    init?(_ words: [(word: Int?, phones: [Int])], sound: SoundScores, model: AcousticModel) {
        var parts: [(word: Int?, phone: Int, place: ModelDefinition.Place)] = []
        for word in words {
            for (index, phone) in word.phones.enumerated() {
                let isFirst = index == 0
                let isLast = index == word.phones.count - 1
                parts.append((word.word, phone, isFirst ? (isLast ? .alone : .begin) : isLast ? .end : .inside))
            }
        }
        var states: [(phone: Int, senone: Int)] = []
        for (index, part) in parts.enumerated() {
            let senones =
                part.word == nil
                ? model.senones(of: part.phone)
                : model.senones(
                    of: part.phone, left: index > 0 ? parts[index - 1].phone : model.silence,
                    right: index + 1 < parts.count ? parts[index + 1].phone : model.silence, place: part.place)
            guard senones.count == AcousticModel.states else { return nil }
            states += senones.map { (part.phone, $0) }
        }
        let frames = sound.frames
        let width = states.count
        guard width > 0, frames >= width else { return nil }
        let emissions = sound.scores(of: states)
        var current = [Float](repeating: -1e30, count: width)
        current[0] = emissions[0]
        var entered = [Bool](repeating: false, count: frames * width)
        for frame in 1..<frames {
            for state in stride(from: width - 1, through: 0, by: -1) {
                let come = state > 0 ? current[state - 1] + PhoneLoop.go : -1e30
                let remain = current[state] + PhoneLoop.stay
                entered[frame * width + state] = come > remain
                current[state] = max(come, remain) + emissions[frame * width + state]
            }
        }
        var scores = [Float](repeating: 0, count: frames)
        var starts = [Int](repeating: 0, count: parts.count)
        var state = width - 1
        for frame in stride(from: frames - 1, through: 0, by: -1) {
            scores[frame] = emissions[frame * width + state]
            if entered[frame * width + state], state > 0 {
                if state % 3 == 0 { starts[state / 3] = frame }
                state -= 1
            }
        }
        self.scores = scores
        phones = parts.indices.map { index in
            let end = index + 1 < parts.count ? starts[index + 1] : frames
            return Phone(word: parts[index].word, phone: parts[index].phone, frames: starts[index]..<end)
        }
    }
}
