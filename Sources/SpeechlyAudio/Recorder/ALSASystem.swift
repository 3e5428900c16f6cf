import CALSA
import Foundation

/// Opens capture devices of ALSA.
struct ALSASystem: PCMSystem {
    typealias Failure = AudioRecorder.AudioRecorderError

    func open(_ request: PCMRequest) throws(Failure) -> any PCMDevice {
        try quietly { () throws(Failure) in
            let handle = try Self.handle(named: request.device, device: request.device)
            do throws(Failure) {
                return ALSADevice(handle: handle, parameters: try Self.configure(handle, request))
            } catch {
                snd_pcm_close(handle)
                // A device that has nothing suitable itself may have it behind ALSA's conversions.
                guard !request.device.contains("'"),
                    let converted = try? Self.handle(named: "plug:SLAVE='\(request.device)'", device: request.device)
                else { throw error }
                guard let parameters = try? Self.configure(converted, request) else {
                    snd_pcm_close(converted)
                    throw error
                }
                return ALSADevice(handle: converted, parameters: parameters)
            }
        }
    }

    private static func handle(named name: String, device: String) throws(Failure) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
        if code >= 0, let handle { return handle }
        switch -code {
        case ENOENT, ENXIO, ENODEV: throw .noSuchDevice(device: device, known: captureDeviceNames())
        case EACCES, EPERM: throw .permissionDenied(device: device)
        case EBUSY, EAGAIN: throw .deviceBusy(device: device)
        case ECONNREFUSED:
            throw .openFailed(device: device, reason: text(of: code) + "; is the sound server running?")
        default: throw .openFailed(device: device, reason: text(of: code))
        }
    }

    /// The text for a negative error number.
    static func text(of code: Int32) -> String { String(cString: snd_strerror(code)) }

    /// Names that can be opened for capturing, not more than fit in a message.
    static func captureDeviceNames() -> [String] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var names: [String] = []
        var position = hints
        while let hint = position.pointee, names.count < 12 {
            // Only devices for one direction name it.
            if hintValue(hint, "IOID") ?? "Input" == "Input", let name = hintValue(hint, "NAME") { names.append(name) }
            position += 1
        }
        return names
    }

    private static func hintValue(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}

// MARK: Configuration

extension ALSASystem {
    /// How often the device reports, in microseconds.
    private static let periodTime: UInt32 = 20_000
    /// How much the device keeps while this process gets no processor time, in microseconds.
    private static let bufferTime: UInt32 = 500_000

    /// Agrees on a format with the device, and reads back what it really is.
    private static func configure(_ handle: OpaquePointer, _ request: PCMRequest) throws(Failure) -> PCMParameters {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
            throw .openFailed(device: request.device, reason: text(of: -ENOMEM))
        }
        defer { snd_pcm_hw_params_free(parameters) }
        // ALSA's own rate conversion may be a linear one: it is used only if nothing else works.
        var step = "parameters"
        var code: Int32 = -EINVAL
        for allowsConversion in [UInt32(0), 1] {
            (step, code) = negotiate(handle, parameters, request, allowsConversion: allowsConversion)
            if code >= 0 { break }
        }
        guard code >= 0 else { throw .unsupportedFormat(device: request.device, reason: "\(step): \(text(of: code))") }
        let result = try readBack(parameters, device: request.device)
        code = setSoftwareParameters(handle, result)
        guard code >= 0 else { throw .openFailed(device: request.device, reason: text(of: code)) }
        return result
    }

    private static func negotiate(
        _ handle: OpaquePointer, _ parameters: OpaquePointer, _ request: PCMRequest, allowsConversion: UInt32
    ) -> (step: String, code: Int32) {
        var code = snd_pcm_hw_params_any(handle, parameters)
        if code < 0 { return ("parameters", code) }
        snd_pcm_hw_params_set_rate_resample(handle, parameters, allowsConversion)
        code = snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
        if code < 0 { return ("interleaved access", code) }
        let wanted = [request.format, .int16, .int32, .float32, .int24]
        guard
            let format = wanted.first(where: { snd_pcm_hw_params_test_format(handle, parameters, $0.alsa) == 0 })
        else { return ("sample format", -EINVAL) }
        code = snd_pcm_hw_params_set_format(handle, parameters, format.alsa)
        if code < 0 { return ("sample format", code) }
        var channels = UInt32(request.channels)
        code = snd_pcm_hw_params_set_channels_near(handle, parameters, &channels)
        if code < 0 { return ("\(request.channels) channels", code) }
        var rate = UInt32(request.sampleRate)
        var direction: Int32 = 0
        code = snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, &direction)
        if code < 0 { return ("\(request.sampleRate) Hz", code) }
        var (period, buffer) = (periodTime, bufferTime)
        direction = 0
        snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, &direction)
        direction = 0
        snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, &direction)
        return ("parameters", snd_pcm_hw_params(handle, parameters))
    }

    private static func readBack(_ parameters: OpaquePointer, device: String) throws(Failure) -> PCMParameters {
        var rate: UInt32 = 0
        var channels: UInt32 = 0
        var direction: Int32 = 0
        var format = SND_PCM_FORMAT_UNKNOWN
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        let codes = [
            snd_pcm_hw_params_get_rate(parameters, &rate, &direction),
            snd_pcm_hw_params_get_channels(parameters, &channels),
            snd_pcm_hw_params_get_format(parameters, &format),
            snd_pcm_hw_params_get_period_size(parameters, &period, &direction),
            snd_pcm_hw_params_get_buffer_size(parameters, &buffer),
        ]
        guard codes.allSatisfy({ $0 >= 0 }), let known = AudioSampleFormat.allCases.first(where: { $0.alsa == format })
        else { throw .unsupportedFormat(device: device, reason: "the device does not say what it captures") }
        return PCMParameters(
            sampleRate: Int(rate), channels: Int(channels), format: known, periodFrames: max(1, Int(period)),
            bufferFrames: max(1, Int(buffer)))
    }

    private static func setSoftwareParameters(_ handle: OpaquePointer, _ parameters: PCMParameters) -> Int32 {
        var software: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&software) == 0, let software else { return -ENOMEM }
        defer { snd_pcm_sw_params_free(software) }
        var code = snd_pcm_sw_params_current(handle, software)
        if code < 0 { return code }
        code = snd_pcm_sw_params_set_avail_min(handle, software, snd_pcm_uframes_t(parameters.periodFrames))
        if code < 0 { return code }
        return snd_pcm_sw_params(handle, software)
    }
}

extension AudioSampleFormat {
    /// ALSA's name for the format.
    var alsa: snd_pcm_format_t {
        switch self {
        case .int16: SND_PCM_FORMAT_S16_LE
        case .int24: SND_PCM_FORMAT_S24_3LE
        case .int32: SND_PCM_FORMAT_S32_LE
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        }
    }
}
