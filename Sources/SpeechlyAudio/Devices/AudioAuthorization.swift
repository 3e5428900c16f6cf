/// Whether this process may capture audio, in the terms of Apple's APIs.
public enum AudioAuthorizationStatus: Int, Sendable, Hashable, Codable {
    /// There is no microphone to have a permission for.
    case notDetermined
    /// No sound device is visible to this process, as in a container; the user cannot change that.
    case restricted
    /// There are microphones, and this user may use none: the group `audio` is missing.
    case denied
    /// A microphone or a sound server can be used.
    case authorized
}

extension AudioRecorder {
    /// Whether this process may capture audio. Looks at the devices each time; asks nobody.
    public static var authorizationStatus: AudioAuthorizationStatus { AudioAuthorizationStatus(.current()) }

    /// The same as ``authorizationStatus``: Linux has no dialogue to ask the user with. For hosts that are used to
    /// asking first.
    public static func requestAuthorization() async -> AudioAuthorizationStatus { authorizationStatus }
}

extension AudioAuthorizationStatus {
    init(_ access: SoundAccess) {
        self =
            switch access {
            case .allowed: .authorized
            case .denied: .denied
            case .nothing: .notDetermined
            case .hidden: .restricted
            }
    }
}
