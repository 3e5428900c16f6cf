import Foundation
import SpeechlySync

extension AudioRecorder {
    /// Why audio cannot be captured. `device` is the name of the ALSA device.
    public enum AudioRecorderError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The recorder's sample rate is not a whole number from 1,000 to 768,000 Hz, it has not 1 to 32 channels, or a
        /// channel is selected that is not from 0 to 31.
        case outputFormatError
        /// There is no device of that name; `known` are the names of some that can be captured from.
        case noSuchDevice(device: String, known: [String])
        /// This user may not use the device.
        case permissionDenied(device: String)
        /// Another program is using the device.
        case deviceBusy(device: String)
        /// The device cannot be opened for another reason, given as the system's text; or its name is empty.
        case openFailed(device: String, reason: String)
        /// The device offers nothing that the recorder's format can be made from.
        case unsupportedFormat(device: String, reason: String)
        /// The device stopped working during a recording; the reason is the system's text.
        case deviceLost(device: String, reason: String)

        /// The device, what is wrong with it, and what to do.
        public var description: String {
            switch self {
            case .outputFormatError:
                return "recorder: the sample rate must be a whole number from 1000 to 768000 Hz, the channels 1 to 32,"
                    + " a selected channel 0 to 31"
            case .noSuchDevice(let device, let known):
                let names = known.isEmpty ? "no capture devices were found" : "known: \(known.joined(separator: ", "))"
                return "\(device.shownPath): no such audio device (\(names))"
            case .permissionDenied(let device):
                return "\(device): permission denied; add this user to the group 'audio' and log in again"
            case .deviceBusy(let device):
                return "\(device): in use by another program"
            case .openFailed(let device, let reason):
                return "\(device.shownPath): cannot be opened: \(reason)"
            case .unsupportedFormat(let device, let reason):
                return "\(device): no usable format: \(reason)"
            case .deviceLost(let device, let reason):
                return "\(device): stopped working: \(reason)"
            }
        }

        /// The same as ``description``.
        public var errorDescription: String? { description }
    }
}
