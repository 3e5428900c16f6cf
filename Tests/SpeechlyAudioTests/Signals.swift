import Foundation

/// A small random number generator whose sequence is the same on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Signals with known properties, and measurements of them.
enum Signals {
    /// A sine of `frequency` Hz at `rate` Hz; full scale is 1.
    static func tone(_ frequency: Double, rate: Double, count: Int, amplitude: Double = 0.9) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    /// White noise.
    static func noise(_ count: Int, seed: UInt64) -> [Int16] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Int16.random(in: .min ... .max, using: &generator) }
    }

    /// The amplitude of the `frequency` Hz component, by correlation with both phases; full scale is 1.
    static func amplitude(_ samples: ArraySlice<Int16>, at frequency: Double, rate: Double) -> Double {
        var (sine, cosine) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let phase = 2 * .pi * frequency * Double(index) / rate
            sine += Double(sample) / 32768 * sin(phase)
            cosine += Double(sample) / 32768 * cos(phase)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(samples.count)
    }

    /// The amplitude of a sine with the same power as all of `samples`; full scale is 1.
    static func equivalentAmplitude(_ samples: ArraySlice<Int16>) -> Double {
        let power = samples.reduce(0.0) { $0 + pow(Double($1) / 32768, 2) } / Double(samples.count)
        return (2 * power).squareRoot()
    }

    /// A ratio of amplitudes in decibels.
    static func decibels(_ amplitude: Double, over reference: Double) -> Double {
        20 * log10(max(amplitude, 1e-12) / reference)
    }
}

extension [Int16] {
    /// The samples as they are stored.
    var littleEndianData: Data {
        withUnsafeBytes { Data($0) }
    }
}

extension Data {
    /// Little-endian 16-bit samples.
    var samples: [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(count / 2)
        var index = startIndex
        while index + 1 < endIndex {
            result.append(Int16(bitPattern: UInt16(self[index]) | UInt16(self[index + 1]) << 8))
            index += 2
        }
        return result
    }
}
