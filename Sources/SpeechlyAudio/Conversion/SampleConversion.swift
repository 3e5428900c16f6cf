/// Conversions between stored samples and the scale the library computes in: floats in which the
/// values of 16-bit samples stand for themselves, so that 16-bit audio passes through exactly.
enum SampleConversion {
    /// Full scale, as a float.
    static let fullScale: Float = 32768

    private static let rounder: Float = 0x1.8p23

    /// A float sample (full scale ±1) on the computing scale; out of range is clamped, not-a-number is silence.
    @inline(__always)
    static func scaled(_ sample: Float) -> Float {
        let value = sample * fullScale
        return value.isNaN ? 0 : max(-fullScale, min(fullScale - 1, value))
    }

    /// Decodes whole samples from `bytes` to the computing scale. `output` must have room for them.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, as format: AudioSampleFormat, into output: UnsafeMutablePointer<Float>
    ) {
        let count = bytes.count / format.bytesPerSample
        switch format {
        case .int16:
            for index in 0..<count {
                let raw = bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)
                output[index] = Float(Int16(littleEndian: raw))
            }
        case .int24:
            for index in 0..<count {
                let low = UInt32(bytes[index * 3]) | UInt32(bytes[index * 3 + 1]) << 8
                let raw = Int32(bitPattern: (low | UInt32(bytes[index * 3 + 2]) << 16) << 8)
                output[index] = Float(raw) / 65536
            }
        case .int32:
            for index in 0..<count {
                let raw = bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
                output[index] = Float(Int32(littleEndian: raw)) / 65536
            }
        case .float32:
            for index in 0..<count {
                let raw = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                output[index] = scaled(Float(bitPattern: UInt32(littleEndian: raw)))
            }
        }
    }

    /// Rounds samples on the computing scale to 16 bits, clamping what a filter's overshoot put out of range.
    @inline(__always)
    static func round(
        _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Int16>, stride: Int = 1
    ) {
        for index in 0..<count {
            let value = max(-fullScale, min(fullScale - 1, input[index]))
            // Beside a number this large no fraction has room: to add it rounds, to even in the middle. The processors
            // that the compiler has in mind have no instruction for that, and a call for each sample is slow.
            output[index * stride] = Int16(truncatingIfNeeded: Int32((value + rounder) - rounder))
        }
    }
}
