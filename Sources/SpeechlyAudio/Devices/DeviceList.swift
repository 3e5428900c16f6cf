import CALSA
import Foundation

/// Finds the devices that can be captured from.
enum DeviceList {
    /// Rates that are asked for, in Hz.
    private static let usualRates: [UInt32] = [
        8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]
    /// Names of ALSA's own that are tools and not places to capture from. JACK's library writes to standard error when
    /// it is asked and its server is not there, and its devices can be opened by name.
    private static let tools: Set<String> = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "usbstream", "jack",
    ]

    static func current() -> [AudioDevice] {
        // What is plugged in now, not what was when ALSA first read its configuration.
        _ = snd_config_update()
        var found: [AudioDevice] = []
        for (name, description) in names() where !found.contains(where: { $0.id == name }) {
            let isDefault = name == "default"
            switch abilities(of: name) {
            case .success(let can):
                found.append(
                    AudioDevice(
                        id: name, name: description, isDefault: isDefault, minimumChannels: can.channels.lowerBound,
                        maximumChannels: can.channels.upperBound, sampleRates: can.rates))
            case .failure(let error):
                // A device in use is there; one that cannot be opened at all is not.
                if error.code == EBUSY || error.code == EAGAIN {
                    found.append(AudioDevice(id: name, name: description, isDefault: isDefault))
                }
            }
        }
        return found
    }

    /// The default, the cards' devices, then what the configuration tells of.
    private static func names() -> [(String, String)] {
        let hints = DeviceHints.all()
        let fallback = hints.first { $0.name == "default" }?.description ?? ""
        var names = [("default", fallback.isEmpty ? "Default device" : fallback)] + cards()
        for hint in hints {
            let kind = hint.name.prefix { $0 != ":" }
            // The cards are listed above, once each and not in every way that ALSA can open them.
            guard !hint.name.contains("CARD="), !tools.contains(String(kind)) else { continue }
            names.append((hint.name, hint.description.isEmpty ? hint.name : hint.description))
        }
        return names
    }

    private static func cards() -> [(String, String)] {
        var found: [(String, String)] = []
        var card: Int32 = -1
        while snd_card_next(&card) == 0, card >= 0 {
            var control: OpaquePointer?
            guard quietly({ snd_ctl_open(&control, "hw:\(card)", 0) }) >= 0, let control else { continue }
            defer { snd_ctl_close(control) }
            var info: OpaquePointer?
            guard snd_pcm_info_malloc(&info) == 0, let info else { continue }
            defer { snd_pcm_info_free(info) }
            let cardName = Self.text(card, snd_card_get_name)
            var device: Int32 = -1
            while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
                snd_pcm_info_set_device(info, UInt32(device))
                snd_pcm_info_set_subdevice(info, 0)
                snd_pcm_info_set_stream(info, SND_PCM_STREAM_CAPTURE)
                guard snd_ctl_pcm_info(control, info) >= 0 else { continue }
                let name = snd_pcm_info_get_name(info).map { String(cString: $0) } ?? ""
                found.append(
                    ("plughw:\(card),\(device)", [cardName, name].filter { !$0.isEmpty }.joined(separator: ", ")))
            }
        }
        return found
    }

    private static func text(
        _ card: Int32, _ get: (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> String {
        var value: UnsafeMutablePointer<CChar>?
        guard get(card, &value) >= 0, let value else { return "" }
        defer { free(value) }
        return String(cString: value)
    }

    private struct Abilities {
        var channels: ClosedRange<Int>
        var rates: [Int]
    }

    private static func abilities(of name: String) -> Result<Abilities, SystemError> {
        quietly {
            var handle: OpaquePointer?
            let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
            guard code >= 0, let handle else { return .failure(SystemError(code: -code)) }
            defer { snd_pcm_close(handle) }
            var parameters: OpaquePointer?
            guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
                return .failure(SystemError(code: ENOMEM))
            }
            defer { snd_pcm_hw_params_free(parameters) }
            let any = snd_pcm_hw_params_any(handle, parameters)
            guard any >= 0 else { return .failure(SystemError(code: -any)) }
            var (least, most) = (UInt32(1), UInt32(1))
            snd_pcm_hw_params_get_channels_min(parameters, &least)
            snd_pcm_hw_params_get_channels_max(parameters, &most)
            let rates = usualRates.filter { snd_pcm_hw_params_test_rate(handle, parameters, $0, 0) == 0 }
            // Virtual devices name absurd numbers; the recorder takes up to 32.
            let highest = max(1, min(Int(most), 32))
            return .success(
                Abilities(channels: min(max(1, Int(least)), highest)...highest, rates: rates.map { Int($0) }))
        }
    }
}
