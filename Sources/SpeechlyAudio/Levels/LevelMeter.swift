import Foundation

/// Measures 16-bit audio: a level for every twentieth of a second, however it is cut.
public struct LevelMeter: Sendable {
    private let samplesPerLevel: Int
    private var count = 0
    private var sum: Double = 0
    private var peak: Int32 = 0

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the audio, in Hz.
    ///   - channels: The number of its interleaved channels, which are measured together.
    ///   - levelsPerSecond: How often to tell a level: 1 to 100.
    public init(sampleRate: Double, channels: Int = 1, levelsPerSecond: Double = 20) {
        let frames = sampleRate / min(max(levelsPerSecond, 1), 100)
        samplesPerLevel = (frames.isFinite ? max(1, Int(min(frames, 1e9))) : 1) * max(1, channels)
    }

    /// Takes interleaved 16-bit little-endian samples; tells `body` each level that is complete.
    public mutating func process(_ audio: Data, _ body: (AudioLevel) -> Void) {
        audio.withUnsafeBytes { bytes in
            let total = bytes.count / 2
            var position = 0
            while position < total {
                let part = min(total - position, samplesPerLevel - count)
                add(bytes, position..<position + part)
                position += part
                count += part
                if count == samplesPerLevel { body(finish()) }
            }
        }
    }

    /// Begins anew.
    public mutating func reset() {
        count = 0
        sum = 0
        peak = 0
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        // Squares of 16-bit samples add up exactly in 64 bits.
        var squares: Int64 = 0
        for index in range {
            let sample = Int32(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
            squares &+= Int64(sample &* sample)
            peak = max(peak, abs(sample))
        }
        sum += Double(squares)
    }

    private mutating func finish() -> AudioLevel {
        defer { reset() }
        return AudioLevel(
            rms: AudioLevel.decibels((sum / Double(count)).squareRoot() / 32768),
            peak: AudioLevel.decibels(Double(peak) / 32768))
    }
}
