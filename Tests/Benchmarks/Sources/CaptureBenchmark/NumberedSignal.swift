import Foundation

/// A signal that tells by each sample where in it one is: a ramp that rises by 1 from one sample to the next at
/// 16 kHz, and begins anew every 3.75 s. Resampling leaves it as it is but for some milliseconds about each beginning.
enum NumberedSignal {
    private static let length = 60_000

    /// Writes the signal to standard output, for a player, in 48 kHz and two channels, until nobody reads it.
    static func play() {
        signal(SIGPIPE, SIG_DFL)
        var position = 0
        var piece = [Int16](repeating: 0, count: 9_600)
        while true {
            for frame in 0..<4_800 {
                let value = Int16(position / 3 % length - length / 2)
                piece[2 * frame] = value
                piece[2 * frame + 1] = value
                position += 1
            }
            piece.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
        }
    }

    /// What became of the signal on its way. In seconds.
    struct Findings: Codable {
        var length = 0.0
        /// What is missing of the signal, and in how many places.
        var missing = 0.0
        var jumps = 0
        /// Silence: the player had no processor time, or a gap was filled.
        var silence = 0.0

        /// One line for people.
        var description: String {
            String(format: "%.2f s, %.3f s missing in %d places, %.2f s of silence", length, missing, jumps, silence)
        }
    }

    /// Follows the signal through 16-bit samples.
    ///
    /// - Parameters:
    ///   - factor: How many frames make up a sample at 16 kHz.
    ///   - channels: How many channels there are; the first is looked at.
    static func examine(_ audio: Data, factor: Int = 1, channels: Int = 1) -> Findings {
        var follower = Follower()
        let step = 2 * channels * factor
        audio.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 1, by: step) {
                follower.take(Int(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
            }
        }
        follower.findings.length = Double(audio.count / step) / 16_000
        return follower.findings
    }

    /// Follows the signal, loses it where it jumps or falls silent, and finds it again behind that.
    private struct Follower {
        var findings = Findings()
        private var index = 0
        /// The number of the sample at index 0, if the signal had always been as it is; `nil` while it is lost.
        private var origin: Int?
        /// Where the signal was last as it should be.
        private var good: (index: Int, number: Int)?
        private var strange = 0
        /// How many samples in a row rise, and the first of them.
        private var rising = 0
        private var first = 0
        private var previous = 0

        mutating func take(_ sample: Int) {
            let number = sample + length / 2
            if let origin { follow(number, expected: wrap(origin + index)) } else { seek(number) }
            previous = number
            index += 1
        }

        private mutating func follow(_ number: Int, expected: Int) {
            if abs(signed(number - expected)) <= 2 {
                strange = 0
                good = (index, expected)
            } else if expected > 200 && expected < length - 200 {
                // Elsewhere the ramp begins anew, which resampling blurs.
                strange += 1
                if strange == 8 { origin = nil }
            }
            rising = 0
        }

        private mutating func seek(_ number: Int) {
            if rising == 0 || !(0...2).contains(number - previous) {
                rising = 0
                first = number
            }
            rising += 1
            // Silence does not rise.
            guard rising == 65, (60...68).contains(number - first) else {
                if rising == 65 { rising = 0 }
                return
            }
            origin = number - index
            strange = 0
            guard let good else { return }
            let skipped = signed(number - good.number - (index - good.index))
            if skipped > 0 {
                findings.jumps += 1
                findings.missing += Double(skipped) / 16_000
            } else {
                findings.silence -= Double(skipped) / 16_000
            }
        }

        private func wrap(_ value: Int) -> Int { (value % length + length) % length }

        /// The shorter way around.
        private func signed(_ difference: Int) -> Int {
            let rest = wrap(difference)
            return rest > length / 2 ? rest - length : rest
        }
    }
}
