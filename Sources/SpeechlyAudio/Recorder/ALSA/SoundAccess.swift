import Foundation

/// What a process may do with the sound devices of its machine.
enum SoundAccess: Hashable, Sendable {
    /// Something can be captured from: a device may be read, or a sound server is there.
    case allowed
    /// There are capture devices, and this user may use none.
    case denied
    /// There are sound devices, and none captures.
    case nothing
    /// No sound device is visible at all, as in a container.
    case hidden

    /// The present state.
    static func current() -> SoundAccess {
        SoundAccess(
            devices: (try? FileManager.default.contentsOfDirectory(atPath: "/dev/snd")) ?? [],
            environment: ProcessInfo.processInfo.environment,
            isReadable: { access("/dev/snd/\($0)", R_OK) == 0 },
            exists: { access($0, F_OK) == 0 })
    }

    /// - Parameters:
    ///   - devices: The names in `/dev/snd`.
    ///   - isReadable: Whether this user may read one of them.
    ///   - exists: Whether there is a file of a path.
    init(
        devices: [String], environment: [String: String], isReadable: (String) -> Bool, exists: (String) -> Bool
    ) {
        let capture = devices.filter { $0.hasPrefix("pcmC") && $0.hasSuffix("c") }
        let runtime = environment["XDG_RUNTIME_DIR"].map { [$0 + "/pulse/native", $0 + "/pipewire-0"] } ?? []
        let hasServer = environment["PULSE_SERVER"] != nil || runtime.contains(where: exists)
        if hasServer || capture.contains(where: isReadable) {
            self = .allowed
        } else if !capture.isEmpty {
            self = .denied
        } else {
            self = devices.contains { $0.hasPrefix("control") } ? .nothing : .hidden
        }
    }
}
