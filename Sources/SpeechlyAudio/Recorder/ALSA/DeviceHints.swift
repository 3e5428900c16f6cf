import CALSA
import Foundation

/// The devices that ALSA's configuration tells of.
enum DeviceHints {
    struct Hint: Hashable, Sendable {
        var name: String
        /// For people; may be empty.
        var description: String
    }

    /// Everything that can be captured from by its description.
    static func all() -> [Hint] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard quietly({ snd_device_name_hint(-1, "pcm", &hints) }) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var found: [Hint] = []
        var position = hints
        while let hint = position.pointee {
            // Only devices for one direction name it.
            if value(hint, "IOID") ?? "Input" == "Input", let name = value(hint, "NAME") {
                let description = value(hint, "DESC") ?? ""
                found.append(
                    Hint(name: name, description: description.split(separator: "\n").joined(separator: ", ")))
            }
            position += 1
        }
        return found
    }

    private static func value(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
