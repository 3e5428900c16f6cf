/// The working memory of a ``Resampler``, allocated once.
final class ResamplerScratch {
    let frameCapacity: Int
    let inputCapacity: Int
    let outputCapacity: Int
    /// Interleaved input on the computing scale.
    let input: UnsafeMutablePointer<Float>
    /// One channel of the input.
    let plane: UnsafeMutablePointer<Float>
    /// One channel of the output.
    let filtered: UnsafeMutablePointer<Float>
    /// Interleaved output.
    let output: UnsafeMutablePointer<Int16>

    init(inputChannels: Int, outputChannels: Int, ratio: (input: Int, output: Int)) {
        frameCapacity = max(16, 4096 / max(inputChannels, outputChannels))
        inputCapacity = frameCapacity * inputChannels
        outputCapacity = frameCapacity * ratio.output / ratio.input + 2
        input = .allocate(capacity: inputCapacity)
        input.initialize(repeating: 0, count: inputCapacity)
        plane = .allocate(capacity: frameCapacity)
        plane.initialize(repeating: 0, count: frameCapacity)
        filtered = .allocate(capacity: outputCapacity)
        filtered.initialize(repeating: 0, count: outputCapacity)
        let interleaved = max(frameCapacity, outputCapacity) * outputChannels
        output = .allocate(capacity: interleaved)
        output.initialize(repeating: 0, count: interleaved)
    }

    deinit {
        input.deallocate()
        plane.deallocate()
        filtered.deallocate()
        output.deallocate()
    }
}
