import CSpeexDSP

/// Makes an utterance more like the recordings that the acoustic model comes from: steady noise is taken down, and
/// stretches without any sound get the faint noise that every room has.
///
/// Equal audio gives equal results.
enum NoiseReduction {
    /// By how much noise is taken down at most, in decibels. Less leaves more of it, and more errors.
    private static let suppression: Int32 = -15
    private static let rate: Int32 = 16_000
    /// 10 ms. What comes out is this much later than what goes in.
    private static let frame = 160
    /// What the noise is first learned from: the quarter of a second in which somebody draws breath.
    private static let introduction = 25 * frame
    /// The noise that is added, as a part of what is loud, 34 dB below it, and its bounds in steps of 16 bits. To the
    /// model, digital silence is like nothing that it knows.
    private static let roomNoise = 0.02
    private static let roomNoiseBounds = 4.0...60.0
    private static let loud = 100

    /// An utterance without noise, of the same length and on the same clock.
    static func cleaned(_ samples: [Int16]) -> [Int16] {
        // The noise reduction wants whole frames, and one more to get the last one back.
        let padding = frame + (frame - samples.count % frame) % frame
        var result = samples + [Int16](repeating: 0, count: padding)
        if let state = speex_preprocess_state_init(Int32(frame), rate) {
            defer { speex_preprocess_state_destroy(state) }
            var level = suppression
            speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &level)
            var learned = Array(result.prefix(min(introduction, samples.count / frame * frame)))
            reduce(&learned, state)
            reduce(&result, state)
            result.removeFirst(frame)
        }
        result.removeLast(result.count - samples.count)
        addRoomNoise(to: &result)
        return result
    }

    private static func reduce(_ samples: inout [Int16], _ state: OpaquePointer) {
        samples.withUnsafeMutableBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            for offset in stride(from: 0, to: samples.count - samples.count % frame, by: frame) {
                speex_preprocess_run(state, start + offset)
            }
        }
    }

    private static func addRoomNoise(to samples: inout [Int16]) {
        let power = samples.reduce(into: (sum: 0.0, count: 1.0)) { power, sample in
            guard abs(Int(sample)) > loud else { return }
            power.sum += Double(sample) * Double(sample)
            power.count += 1
        }
        let wanted = (power.sum / power.count).squareRoot() * roomNoise
        let deviation = min(max(wanted, roomNoiseBounds.lowerBound), roomNoiseBounds.upperBound)
        var state: UInt32 = 12_345
        for index in samples.indices {
            var sum = 0.0
            // Four even numbers make one that is normal enough; their variance is a third.
            for _ in 0..<4 {
                state = state &* 1_664_525 &+ 1_013_904_223
                sum += Double(state >> 8) * 0x1p-24 - 0.5
            }
            let noise = Int((sum * deviation * 1.732).rounded())
            samples[index] = Int16(clamping: Int(samples[index]) + noise)
        }
    }
}
