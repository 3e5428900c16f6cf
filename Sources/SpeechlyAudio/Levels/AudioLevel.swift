import Foundation

/// How loud a moment of audio is, in decibels relative to full scale: 0 is the loudest there is, speech into a
/// well-set microphone is at −30 to −10, and ``silence`` stands for everything quieter than can be heard.
public struct AudioLevel: Hashable, Sendable, Codable {
    /// The lowest level that is reported, in dBFS.
    public static let silence = -120.0

    /// The root mean square of the samples, in dBFS: a full-scale square wave is at 0, a full-scale sine at −3.
    public let rms: Double
    /// The largest sample, in dBFS.
    public let peak: Double

    /// Creates a level; values out of range are brought into it.
    ///
    /// - Parameters:
    ///   - rms: The root mean square, in dBFS.
    ///   - peak: The largest sample, in dBFS.
    public init(rms: Double, peak: Double) {
        self.rms = Self.clamped(rms)
        self.peak = Self.clamped(peak)
    }

    /// An amplitude (full scale is 1) in dBFS.
    static func decibels(_ amplitude: Double) -> Double { clamped(20 * log10(max(amplitude, 1e-12))) }

    private static func clamped(_ value: Double) -> Double {
        value.isNaN ? silence : min(0, max(silence, value))
    }
}
