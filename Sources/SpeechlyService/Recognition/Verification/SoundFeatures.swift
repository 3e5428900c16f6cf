/// An utterance as the acoustic model sees it: for every frame of 10 ms the cepstrum without the utterance's mean,
/// its slope, and the slope of that.
struct SoundFeatures {
    /// Stream by stream, frame by frame.
    let values: [Float]
    let count: Int

    /// - Parameter cepstra: 13 coefficients a frame.
    init(cepstra: [Float]) {
        let width = AcousticModel.width
        let count = cepstra.count / width
        self.count = count
        var mean = [Float](repeating: 0, count: width)
        for frame in 0..<count { for index in 0..<width { mean[index] += cepstra[frame * width + index] } }
        for index in 0..<width { mean[index] /= Float(max(1, count)) }
        var values = [Float](repeating: 0, count: AcousticModel.streams * count * width)
        func at(_ frame: Int, _ index: Int) -> Float {
            cepstra[min(max(frame, 0), count - 1) * width + index] - mean[index]
        }
        for frame in 0..<count {
            for index in 0..<width {
                values[frame * width + index] = at(frame, index)
                values[(count + frame) * width + index] = at(frame + 2, index) - at(frame - 2, index)
                values[(2 * count + frame) * width + index] =
                    at(frame + 3, index) - at(frame - 1, index) - at(frame + 1, index) + at(frame - 3, index)
            }
        }
        self.values = values
    }
}
