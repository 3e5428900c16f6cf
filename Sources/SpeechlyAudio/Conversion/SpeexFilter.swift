import CSpeexDSP

/// One channel of libspeexdsp's polyphase filter, without the zeros it would begin with.
///
/// One state per channel, because the library's reset of a multi-channel state clears only the first.
final class SpeexFilter {
    private let state: OpaquePointer
    /// How far the filter looks ahead, in input samples.
    let lookahead: Int

    init(inputRate: UInt32, outputRate: UInt32, quality: Int32) throws(ResamplerError) {
        var code: Int32 = 0
        guard let state = speex_resampler_init(1, inputRate, outputRate, quality, &code),
            code == Int32(RESAMPLER_ERR_SUCCESS)
        else { throw .outOfMemory }
        self.state = state
        lookahead = Int(speex_resampler_get_input_latency(state))
        speex_resampler_skip_zeros(state)
    }

    deinit { speex_resampler_destroy(state) }

    /// Filters all of `input` and returns how many samples were written to `output`, which must have room
    /// for everything `input` can yield.
    func process(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> Int {
        var consumed = 0
        var produced = 0
        while consumed < input.count, let source = input.baseAddress, let target = output.baseAddress {
            var inputCount = UInt32(input.count - consumed)
            var outputCount = UInt32(output.count - produced)
            speex_resampler_process_float(
                state, 0, source + consumed, &inputCount, target + produced, &outputCount)
            consumed += Int(inputCount)
            produced += Int(outputCount)
            if inputCount == 0 && outputCount == 0 { break }
        }
        return produced
    }

    /// Forgets everything heard so far.
    func reset() {
        speex_resampler_reset_mem(state)
        speex_resampler_skip_zeros(state)
    }
}
