import Foundation

/// Why a ``Resampler`` cannot be made.
public enum ResamplerError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The rate, in Hz, is not a whole number from 1,000 to 768,000.
    case unsupportedRate(Double)
    /// The number of channels is not from 1 to 1,024, or one cannot be made from the other.
    case unsupportedChannels(input: Int, output: Int)
    /// The selected channel, counted from 0, is not one of `channels`.
    case noSuchChannel(Int, channels: Int)
    /// The quality is not from 0 to 10.
    case unsupportedQuality(Int)
    /// There is no memory for the filter.
    case outOfMemory

    /// What is wrong and what would be right.
    public var description: String {
        switch self {
        case .unsupportedRate(let rate):
            "sample rate \(rate) Hz: must be a whole number from 1000 to 768000"
        case .unsupportedChannels(let input, let output):
            "\(input) channels to \(output): must be 1 to 1024 channels, to the same number, to one, or from one"
        case .noSuchChannel(let channel, let channels):
            "channel \(channel): there are \(channels), counted from 0"
        case .unsupportedQuality(let quality):
            "resampling quality \(quality): must be 0 to 10"
        case .outOfMemory:
            "no memory for the resampling filter"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
