/// Something that makes recognition unlikely, though audio is captured.
public enum AudioRecorderWarning: String, Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// For five seconds every sample was exactly zero, which no microphone delivers: it is muted, or another device
    /// is meant.
    case digitalSilence
    /// The input reaches full scale again and again: it is too loud.
    case clipping
    /// The device delivers faster than time passes, as files and ALSA's `null` do.
    case fasterThanRealTime
    /// The device is open and delivers nothing at all.
    case noAudio

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .digitalSilence:
            "the microphone delivers nothing but zeros; check that it is not muted, and that the device is the right one"
        case .clipping: "the microphone is too loud; lower its capture volume"
        case .fasterThanRealTime:
            "the device delivers faster than real time, as no microphone does; check that the device is the right one"
        case .noAudio: "the device delivers no audio; check that it is not in use or suspended"
        }
    }
}
