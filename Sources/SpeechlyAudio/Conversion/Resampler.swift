import Foundation

/// Converts a stream of audio to another sample rate and fewer channels, as 16-bit samples.
///
/// The filter is libspeexdsp's. Its state carries over from call to call: the output does not depend on
/// how the input is cut, every input sample is used exactly once, and `n` input frames yield
/// `n × outputRate / inputRate` output frames, rounded up, once the stream has been flushed. The filter's
/// delay is removed from the beginning and made up at the end, so that what is at time t in the input is
/// at time t in the output.
///
/// With equal rates nothing is filtered: 16-bit samples come out as they went in.
///
/// Not safe for use from several threads at once.
public final class Resampler {
    /// The sample rate of the input, in Hz.
    public let inputRate: Double
    /// The sample rate of the output, in Hz.
    public let outputRate: Double
    /// The number of interleaved channels in the input.
    public let inputChannels: Int
    /// The number of interleaved channels in the output.
    public let outputChannels: Int

    private let mixer: ChannelMixer
    private let filters: [SpeexFilter]
    private let ratio: (input: Int, output: Int)
    private let scratch: ResamplerScratch
    /// Samples at the front of the input scratch that do not make up a frame yet.
    private var pendingSamples = 0
    private var framesIn = 0
    private var framesOut = 0

    /// Creates a resampler.
    ///
    /// - Parameters:
    ///   - inputRate: The sample rate of the input, in Hz; a whole number from 1,000 to 768,000.
    ///   - outputRate: The sample rate of the output, in Hz; a whole number from 1,000 to 768,000.
    ///   - inputChannels: The number of interleaved channels in the input, 1 to 1,024.
    ///   - outputChannels: The number of interleaved channels in the output: 1, or as many as the input has,
    ///     or any number when the input has one.
    ///   - selection: How several channels become one.
    ///   - quality: 0 (fast) to 10 (best).
    /// - Throws: ``ResamplerError`` when a value is out of its range.
    public init(
        inputRate: Double, outputRate: Double = 16_000, inputChannels: Int = 1, outputChannels: Int = 1,
        selection: ChannelSelection = .average, quality: Int = 8
    ) throws(ResamplerError) {
        for rate in [inputRate, outputRate] {
            guard rate >= 1_000, rate <= 768_000, rate == rate.rounded() else { throw .unsupportedRate(rate) }
        }
        guard (0...10).contains(quality) else { throw .unsupportedQuality(quality) }
        mixer = try ChannelMixer(input: inputChannels, output: outputChannels, selection: selection)
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        let divisor = Self.greatestCommonDivisor(Int(inputRate), Int(outputRate))
        ratio = (Int(inputRate) / divisor, Int(outputRate) / divisor)
        var filters: [SpeexFilter] = []
        if inputRate != outputRate {
            for _ in 0..<outputChannels {
                filters.append(
                    try SpeexFilter(
                        inputRate: UInt32(inputRate), outputRate: UInt32(outputRate), quality: Int32(quality)))
            }
        }
        self.filters = filters
        scratch = ResamplerScratch(inputChannels: inputChannels, outputChannels: outputChannels, ratio: ratio)
    }

    /// How much later than without the resampler a sample comes out, in seconds.
    public var latency: TimeInterval { Double(filters.first?.lookahead ?? 0) / inputRate }

    /// Converts 16-bit samples. An incomplete frame at the end is completed by the next call.
    ///
    /// - Parameter samples: Interleaved samples.
    /// - Returns: The interleaved samples that have become available; may be empty.
    public func process(_ samples: [Int16]) -> [Int16] {
        var output: [Int16] = []
        samples.withUnsafeBytes { process($0, as: .int16) { output.append(contentsOf: $0) } }
        return output
    }

    /// Converts float samples (full scale ±1). What is out of range is clamped, not-a-number is silence.
    ///
    /// - Parameter samples: Interleaved samples.
    /// - Returns: The interleaved samples that have become available; may be empty.
    public func process(_ samples: [Float]) -> [Int16] {
        var output: [Int16] = []
        samples.withUnsafeBytes { process($0, as: .float32) { output.append(contentsOf: $0) } }
        return output
    }

    /// Converts samples of any format and appends the result as 16-bit little-endian bytes.
    ///
    /// - Parameters:
    ///   - bytes: Interleaved samples; a whole number of them.
    ///   - format: How they are stored.
    ///   - output: What the available samples are appended to.
    public func process(_ bytes: UnsafeRawBufferPointer, as format: AudioSampleFormat, into output: inout Data) {
        process(bytes, as: format) { output.append($0) }
    }

    /// Ends the stream: returns what the filter still holds, and is ready for a new stream.
    ///
    /// - Returns: The remaining interleaved samples. An incomplete frame is dropped.
    public func flush() -> [Int16] {
        var output: [Int16] = []
        flush { output.append(contentsOf: $0) }
        return output
    }

    /// Ends the stream as ``flush()`` does, and appends the result as 16-bit little-endian bytes.
    ///
    /// - Parameter output: What the remaining samples are appended to.
    public func flush(into output: inout Data) {
        flush { output.append($0) }
    }

    /// Forgets the stream so far, without returning what the filter holds.
    public func reset() {
        for filter in filters { filter.reset() }
        pendingSamples = 0
        framesIn = 0
        framesOut = 0
    }

    // MARK: Blocks

    private func process(
        _ bytes: UnsafeRawBufferPointer, as format: AudioSampleFormat, sink: (UnsafeBufferPointer<Int16>) -> Void
    ) {
        let size = format.bytesPerSample
        let total = bytes.count / size
        var position = 0
        while position < total {
            let count = min(total - position, scratch.inputCapacity - pendingSamples)
            let block = UnsafeRawBufferPointer(rebasing: bytes[position * size..<(position + count) * size])
            SampleConversion.decode(block, as: format, into: scratch.input + pendingSamples)
            position += count
            let samples = pendingSamples + count
            let frames = samples / inputChannels
            pendingSamples = samples % inputChannels
            framesIn += frames
            run(frames: frames, limit: .max, sink: sink)
            let rest = scratch.input + frames * inputChannels
            scratch.input.update(from: rest, count: pendingSamples)
        }
    }

    private func flush(sink: (UnsafeBufferPointer<Int16>) -> Void) {
        let target = (framesIn * ratio.output + ratio.input - 1) / ratio.input
        while !filters.isEmpty, framesOut < target {
            scratch.input.update(repeating: 0, count: scratch.inputCapacity)
            run(frames: scratch.frameCapacity, limit: target - framesOut, sink: sink)
        }
        reset()
    }

    /// Mixes, filters and rounds the frames in the input scratch.
    private func run(frames: Int, limit: Int, sink: (UnsafeBufferPointer<Int16>) -> Void) {
        guard frames > 0 else { return }
        var produced = frames
        for channel in 0..<outputChannels {
            mixer.extract(channel, frames: frames, from: scratch.input, into: scratch.plane)
            var result = UnsafePointer(scratch.plane)
            if !filters.isEmpty {
                produced = filters[channel].process(
                    UnsafeBufferPointer(start: scratch.plane, count: frames),
                    into: UnsafeMutableBufferPointer(start: scratch.filtered, count: scratch.outputCapacity))
                produced = min(produced, limit)
                result = UnsafePointer(scratch.filtered)
            }
            SampleConversion.round(
                result, count: produced, into: scratch.output + channel, stride: outputChannels)
        }
        framesOut += produced
        if produced > 0 {
            sink(UnsafeBufferPointer(start: scratch.output, count: produced * outputChannels))
        }
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : greatestCommonDivisor(second, first % second)
    }
}
