/// What any phones in a row make of an utterance: the best that could have been heard if words did not matter.
struct PhoneLoop {
    /// Likelihood of staying in a third of a phone, and of going on.
    static let stay: Float = -0.51
    static let go: Float = -0.92
    /// What each further phone has to make good, so that the loop does not change phones with every frame.
    static let entry: Float = -3

    /// The score of each frame on the best way.
    private(set) var scores: [Float]
    /// The phone heard in each frame, by its number in the model.
    private(set) var phones: [Int]
    /// The best score of any phone in each frame.
    private(set) var bounds: [Float]

    init(_ sound: SoundScores, model: AcousticModel) {
        let names = model.phoneNames
        let choices = names.indices.filter { names[$0].first != "+" }
        let states = choices.flatMap { phone in model.senones(of: phone).map { (phone: phone, senone: $0) } }
        let emissions = sound.scores(of: states)
        let width = states.count
        let frames = sound.frames
        scores = [Float](repeating: 0, count: frames)
        phones = [Int](repeating: model.silence, count: frames)
        bounds = (0..<frames).map { emissions[$0 * width..<($0 + 1) * width].max() ?? 0 }
        guard frames > 0, width == choices.count * 3 else { return }
        var current = [Float](repeating: -1e30, count: width)
        for first in stride(from: 0, to: width, by: 3) { current[first] = emissions[first] }
        var next = current
        var entered = [Bool](repeating: false, count: frames * width)
        var leavers = [Int](repeating: 0, count: frames)
        for frame in 1..<max(1, frames) {
            var leaver = 2
            for last in stride(from: 2, to: width, by: 3) where current[last] > current[leaver] { leaver = last }
            leavers[frame] = leaver
            let entry = current[leaver] + Self.go + Self.entry
            for state in 0..<width {
                let come = state % 3 == 0 ? entry : current[state - 1] + Self.go
                let remain = current[state] + Self.stay
                entered[frame * width + state] = come > remain
                next[state] = max(come, remain) + emissions[frame * width + state]
            }
            swap(&current, &next)
        }
        var state = 2
        for last in stride(from: 2, to: width, by: 3) where current[last] > current[state] { state = last }
        for frame in stride(from: frames - 1, through: 0, by: -1) {
            scores[frame] = emissions[frame * width + state]
            phones[frame] = choices[state / 3]
            if entered[frame * width + state] { state = state % 3 == 0 ? leavers[frame] : state - 1 }
        }
    }
}
