import Foundation

/// Cuts audio into frames, and lets through what a ``VoiceActivityDetector`` takes for speech, with the frames before
/// its start.
///
/// Every sample comes out at most once, in order; speech that is let through has no gaps.
public struct VoiceActivityGate: Sendable {
    /// What comes out.
    public enum Output: Hashable, Sendable {
        /// Speech has started; the audio that belongs to it follows, history first.
        case started
        /// Audio that belongs to speech.
        case audio(Data)
        /// Speech has ended.
        case ended
    }

    /// The detector, whose parameters may be changed at any time.
    public var detector: VoiceActivityDetector
    private let sampleRate: Double
    private let channels: Int
    /// Audio that does not make up a frame yet.
    private var rest = Data()
    private var history: [Data] = []

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the audio, in Hz.
    ///   - channels: The number of its interleaved channels.
    ///   - parameters: What tells speech from noise.
    public init(
        sampleRate: Double = 16_000, channels: Int = 1, parameters: VoiceActivityParameters = VoiceActivityParameters()
    ) {
        self.sampleRate = sampleRate
        self.channels = max(1, channels)
        detector = VoiceActivityDetector(parameters: parameters)
    }

    private var bytesPerFrame: Int {
        let length = detector.parameters.frameLength.seconds * sampleRate
        return max(1, length.isFinite ? Int(length.rounded()) : 1) * channels * 2
    }

    private var historyLimit: Int {
        max(detector.parameters.historyFrames, detector.parameters.signalSearchFrames)
    }

    /// Takes interleaved 16-bit little-endian samples, of any number.
    ///
    /// - Parameter audio: The audio.
    /// - Returns: What comes out, in order.
    public mutating func process(_ audio: Data) -> [Output] {
        rest.append(audio)
        var outputs: [Output] = []
        var position = rest.startIndex
        let size = bytesPerFrame
        while rest.endIndex - position >= size {
            let frame = rest[position..<position + size]
            position += size
            take(Data(frame), &outputs)
        }
        rest = Data(rest[position...])
        return outputs
    }

    /// Ends the audio: speech that is under way ends with the last sample there is.
    ///
    /// - Returns: What comes out, in order.
    public mutating func finish() -> [Output] {
        defer {
            rest = Data()
            history = []
        }
        guard detector.finish() != nil else { return [] }
        return rest.isEmpty ? [.ended] : [.audio(rest), .ended]
    }

    private mutating func take(_ frame: Data, _ outputs: inout [Output]) {
        let change = detector.process(level: frame.withUnsafeBytes { VoiceActivityDetector.level($0) })
        switch change {
        case .started:
            history.append(frame)
            outputs.append(.started)
            outputs.append(.audio(Data(history.suffix(historyLimit).joined())))
            history = []
        case .ended:
            outputs.append(.ended)
            history = [frame]
        case nil where detector.isActive:
            if case .audio(let before)? = outputs.last {
                outputs[outputs.count - 1] = .audio(before + frame)
            } else {
                outputs.append(.audio(frame))
            }
        case nil:
            history.append(frame)
            if history.count > historyLimit { history.removeFirst(history.count - historyLimit) }
        }
    }
}
