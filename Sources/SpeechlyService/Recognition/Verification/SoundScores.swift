import CSoundModel

/// How well each frame of an utterance fits each senone of some: logarithms of likelihoods.
struct SoundScores {
    private let model: AcousticModel
    let frames: Int
    /// Of each frame, phone and stream, the Gaussians that fit best, and how well.
    private let best: [UInt8]
    private let fits: [Float]

    init(_ features: SoundFeatures, model: AcousticModel) {
        self.model = model
        frames = features.count
        let (streams, top) = (AcousticModel.streams, AcousticModel.best)
        var best = [UInt8](repeating: 0, count: frames * model.phoneNames.count * streams * top)
        var fits = [Float](repeating: 0, count: best.count)
        var shape = speechly_sound_shape(
            frames: frames, phones: model.phoneNames.count, streams: streams, width: AcousticModel.width,
            gaussians: model.gaussians, top: top)
        speechly_sound_best(
            &shape, model.squares, model.values, model.constants, features.values, &best, &fits)
        self.best = best
        self.fits = fits
    }

    /// Frame by frame, the scores of states that each have a phone, whose Gaussians count, and a senone.
    func scores(of states: [(phone: Int, senone: Int)]) -> [Float] {
        let (phoneCount, streams, top) = (model.phoneNames.count, AcousticModel.streams, AcousticModel.best)
        let gaussians = model.gaussians
        let senones = model.senones
        var result = [Float](repeating: 0, count: frames * states.count)
        _ = model.withWeights { weights, unit in
            best.withUnsafeBufferPointer { best in
                fits.withUnsafeBufferPointer { fits in
                    for frame in 0..<frames {
                        for (index, state) in states.enumerated() {
                            var sum: Float = 0
                            for stream in 0..<streams {
                                let start = ((frame * phoneCount + state.phone) * streams + stream) * top
                                var most = -Float.greatestFiniteMagnitude
                                for place in start..<start + top {
                                    let row = stream * gaussians + Int(best[place])
                                    most = max(most, fits[place] - unit * Float(weights[row * senones + state.senone]))
                                }
                                sum += most
                            }
                            result[frame * states.count + index] = sum
                        }
                    }
                }
            }
        }
        return result
    }
}
