import Foundation

/// Looks at what a device delivers for signs that it is not what a microphone should.
struct InputInspector {
    /// How long all has to be zero, in seconds.
    private static let silenceLimit = 5.0
    /// How many samples at full scale within a second are too many.
    private static let clippingLimit = 16

    private let format: AudioSampleFormat
    private let samplesPerSecond: Int
    private var zeros = 0
    private var hasWarnedOfZeros = false
    private var clipped = 0
    /// Samples since the clipped ones were last counted from 0, and until clipping may be reported again.
    private var window = 0
    private var quietSamples = 0

    init(_ parameters: PCMParameters) {
        format = parameters.format
        samplesPerSecond = parameters.sampleRate * parameters.channels
    }

    /// Begins anew, for another recording.
    mutating func reset() {
        zeros = 0
        hasWarnedOfZeros = false
        clipped = 0
        window = 0
        quietSamples = 0
    }

    /// Takes audio, and returns what there is to warn of.
    mutating func process(_ piece: UnsafeRawBufferPointer) -> [AudioRecorderWarning] {
        let count = piece.count / format.bytesPerSample
        let (loudest, atFullScale) = measure(piece, count)
        var warnings: [AudioRecorderWarning] = []
        if loudest {
            zeros = 0
            hasWarnedOfZeros = false
        } else {
            zeros += count
            if !hasWarnedOfZeros, Double(zeros) >= Self.silenceLimit * Double(samplesPerSecond) {
                hasWarnedOfZeros = true
                warnings.append(.digitalSilence)
            }
        }
        clipped += atFullScale
        window += count
        quietSamples = max(0, quietSamples - count)
        if clipped >= Self.clippingLimit, quietSamples == 0 {
            warnings.append(.clipping)
            // Not more often than every ten seconds.
            quietSamples = 10 * samplesPerSecond
            clipped = 0
        }
        if window >= samplesPerSecond {
            window = 0
            clipped = 0
        }
        return warnings
    }

    /// Whether any sample is not zero, and how many are at full scale.
    private func measure(_ piece: UnsafeRawBufferPointer, _ count: Int) -> (hasSound: Bool, atFullScale: Int) {
        var bits: UInt32 = 0
        var clipped = 0
        switch format {
        case .int16:
            for index in 0..<count {
                let sample = piece.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)
                bits |= UInt32(UInt16(bitPattern: sample))
                if sample == .max || sample == .min { clipped += 1 }
            }
        case .int24:
            for index in 0..<count {
                let value =
                    UInt32(piece[index * 3]) | UInt32(piece[index * 3 + 1]) << 8 | UInt32(piece[index * 3 + 2]) << 16
                bits |= value
                if value == 0x7F_FFFF || value == 0x80_0000 { clipped += 1 }
            }
        case .int32:
            for index in 0..<count {
                let sample = piece.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
                bits |= UInt32(bitPattern: sample)
                // Converters of 16 bits leave the rest empty, or filled.
                if sample >= 0x7FFF_0000 || sample <= -0x7FFF_FFFF { clipped += 1 }
            }
        case .float32:
            for index in 0..<count {
                let sample = piece.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                // Minus zero is zero too.
                bits |= sample == 0 ? 0 : 1
                if sample >= 0.99997 || sample <= -1 { clipped += 1 }
            }
        }
        return (bits != 0, clipped)
    }
}
