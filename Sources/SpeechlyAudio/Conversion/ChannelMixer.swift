/// Makes the channels of the output from those of the input.
struct ChannelMixer {
    private enum Rule {
        case average
        case pick(Int)
        case same
    }

    private let rule: Rule
    private let channels: Int

    init(input: Int, output: Int, selection: ChannelSelection) throws(ResamplerError) {
        guard (1...1024).contains(input), (1...1024).contains(output), input == output || input == 1 || output == 1
        else { throw .unsupportedChannels(input: input, output: output) }
        if case .channel(let index) = selection, !(0..<input).contains(index) {
            throw .noSuchChannel(index, channels: input)
        }
        channels = input
        switch selection {
        case .channel(let index) where output == 1: rule = .pick(index)
        case _ where input == 1: rule = .pick(0)
        case _ where output == 1: rule = .average
        default: rule = .same
        }
    }

    /// Writes output channel `channel` of `frames` interleaved input frames.
    func extract(
        _ channel: Int, frames: Int, from input: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
    ) {
        switch rule {
        case .pick(let index):
            for frame in 0..<frames { output[frame] = input[frame * channels + index] }
        case .same:
            for frame in 0..<frames { output[frame] = input[frame * channels + channel] }
        case .average:
            let count = Float(channels)
            for frame in 0..<frames {
                var sum: Float = 0
                for index in 0..<channels { sum += input[frame * channels + index] }
                output[frame] = sum / count
            }
        }
    }
}
