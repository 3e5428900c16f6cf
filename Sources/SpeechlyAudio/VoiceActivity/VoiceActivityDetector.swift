import Foundation

/// Tells speech from noise by its energy, frame by frame. Speechly's detector, with its known faults mended:
///
/// - the noise is taken for low at first, so that speech from the first frame on is heard;
/// - the noise is learned during speech too, from the quietest frames of the last seconds, so that a rise of the noise
///   does not keep the detector on for ever;
/// - ``finish()`` ends speech that is under way, and what follows begins anew;
/// - digital silence is no special case.
///
/// A value type without any clock: time is counted in frames.
public struct VoiceActivityDetector: Sendable {
    /// What a frame can bring about.
    public enum Change: Hashable, Sendable {
        /// Speech has started: with this frame or up to ``VoiceActivityParameters/historyFrames`` before it.
        case started
        /// Speech has ended.
        case ended
    }

    /// What tells speech from noise. May be changed at any time.
    public var parameters: VoiceActivityParameters
    /// Whether there is speech.
    public private(set) var isActive = false
    /// The noise level that speech is compared with, as an amplitude; 0 before the first frame.
    public private(set) var noise = 0.0
    /// The level of the last frame over the noise, in Speechly's decibels.
    public private(set) var signalDb = 0.0
    /// The noise level, in Speechly's decibels; −60 at the least.
    public var noiseDb: Double { Self.decibels(noise) }

    private var hasNoise = false
    private var history: UInt32 = 0
    /// In seconds.
    private var sustainLeft = 0.0
    private var quietest = QuietestLevel()

    /// Creates a detector.
    ///
    /// - Parameter parameters: What tells speech from noise.
    public init(parameters: VoiceActivityParameters = VoiceActivityParameters()) {
        self.parameters = parameters
    }

    /// Takes a frame of interleaved 16-bit samples.
    ///
    /// - Parameter frame: As much audio as ``VoiceActivityParameters/frameLength`` says.
    /// - Returns: What it has changed; `nil` for nothing.
    public mutating func process(_ frame: [Int16]) -> Change? {
        process(level: Self.level(frame))
    }

    /// Takes a frame whose level is known.
    ///
    /// - Parameter level: The root mean square of the frame's samples, where full scale is 1.
    /// - Returns: What it has changed; `nil` for nothing.
    public mutating func process(level: Double) -> Change? {
        let level = level.isNaN ? 0 : min(max(level, 0), 1)
        let frame = parameters.frameLength.seconds
        let gate = pow(10, parameters.noiseGateDb / 10)
        let factor = pow(10, parameters.signalToNoiseDb / 10)
        if !hasNoise {
            // As low as makes no difference: speech may be what is heard first.
            noise = min(level, gate / factor)
            hasNoise = true
        }
        history = history << 1 | (level > max(gate, noise * factor) ? 1 : 0)
        sustainLeft = max(0, sustainLeft - frame)
        let wasActive = isActive
        let loud = loudFrames
        if loud >= count(of: parameters.signalActivation, atLeast: 1) {
            isActive = true
            sustainLeft = parameters.signalSustain.seconds
        } else if loud <= count(of: parameters.signalRelease, atLeast: 0), sustainLeft < frame / 1_000 {
            isActive = false
        }
        quietest.add(level, frame: frame)
        learn(level, frame: frame)
        signalDb = Self.decibels(level) - Self.decibels(noise)
        if isActive == wasActive { return nil }
        return isActive ? .started : .ended
    }

    /// Ends the audio. What comes after it begins anew, but for the noise, which is still there.
    ///
    /// - Returns: `ended` when there was speech.
    public mutating func finish() -> Change? {
        defer {
            isActive = false
            history = 0
            sustainLeft = 0
            quietest = QuietestLevel()
        }
        return isActive ? .ended : nil
    }

    /// Forgets everything.
    public mutating func reset() { self = VoiceActivityDetector(parameters: parameters) }

    /// The root mean square of samples, where full scale is 1; 0 for none.
    public static func level(_ samples: [Int16]) -> Double {
        samples.withUnsafeBytes { level($0) }
    }

    static func level(_ bytes: UnsafeRawBufferPointer) -> Double {
        let count = bytes.count / 2
        guard count > 0 else { return 0 }
        // Squares of 16-bit samples add up exactly in 64 bits.
        var squares: Int64 = 0
        for index in 0..<count {
            let sample = Int64(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
            squares &+= sample &* sample
        }
        return (Double(squares) / Double(count)).squareRoot() / 32768
    }

    private var loudFrames: Int {
        let window: UInt32 = parameters.signalSearchFrames >= 32 ? .max : 1 << UInt32(parameters.signalSearchFrames) - 1
        return (history & window).nonzeroBitCount
    }

    /// A share of the frames that are looked at, halves rounded up as in the browser's client.
    private func count(of share: Double, atLeast least: Int) -> Int {
        max(least, Int((share * Double(parameters.signalSearchFrames) + 0.5).rounded(.down)))
    }

    private mutating func learn(_ level: Double, frame: Double) {
        let halfTime = parameters.noiseLearnHalfTime.seconds
        guard halfTime > 0 else { return }
        // Speech has pauses and noise has none: the quietest of some seconds is noise.
        guard let target = isActive ? quietest.level : level else { return }
        let kept = pow(2, -frame / halfTime)
        noise = noise * kept + target * (1 - kept)
    }

    private static func decibels(_ amplitude: Double) -> Double { 10 * log10(max(amplitude, 1e-6)) }
}

/// The level of the quietest frame of the last one to two seconds.
private struct QuietestLevel: Sendable {
    private static let blockLength = 1.0
    private var current = Double.infinity
    private var previous: Double?
    private var length = 0.0

    /// `nil` before a second is full.
    var level: Double? { previous.map { min($0, current) } }

    mutating func add(_ level: Double, frame: Double) {
        current = min(current, level)
        length += frame
        guard length >= Self.blockLength else { return }
        previous = current
        current = .infinity
        length = 0
    }
}
