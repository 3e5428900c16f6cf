import CALSA
import Foundation

/// Agrees with an open device on what it captures as.
struct ALSAConfiguration {
    typealias Failure = AudioRecorder.AudioRecorderError

    /// How much the device keeps while this process gets no processor time, in microseconds.
    private static let bufferTime: UInt32 = 500_000
    /// What sound servers run at, in Hz.
    private static let serverRate = 48_000

    let library: any ALSALibrary
    let request: PCMRequest

    /// Agrees on a format with the device, and reads back what it really is.
    func configure(_ handle: OpaquePointer) throws(Failure) -> PCMParameters {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
            throw .openFailed(device: request.device, reason: ALSASystem.text(of: -ENOMEM))
        }
        defer { snd_pcm_hw_params_free(parameters) }
        // ALSA's own rate conversion may be a linear one: it is used only if nothing else works.
        var (step, code) = negotiate(handle, parameters, allowsConversion: false)
        if code < 0 { (step, code) = negotiate(handle, parameters, allowsConversion: true) }
        guard code >= 0 else {
            throw .unsupportedFormat(device: request.device, reason: "\(step): \(ALSASystem.text(of: code))")
        }
        let result = try readBack(parameters)
        code = setSoftwareParameters(handle, result)
        guard code >= 0 else { throw .openFailed(device: request.device, reason: ALSASystem.text(of: code)) }
        return result
    }

    private func negotiate(
        _ handle: OpaquePointer, _ parameters: OpaquePointer, allowsConversion: Bool
    ) -> (step: String, code: Int32) {
        var code = library.anyParameters(handle, parameters)
        if code < 0 { return ("parameters", code) }
        _ = library.setResampling(handle, parameters, allowsConversion)
        code = library.setInterleaved(handle, parameters)
        if code < 0 { return ("interleaved access", code) }
        let wanted = [request.format, .int16, .int32, .float32, .int24]
        guard let format = wanted.first(where: { library.testFormat(handle, parameters, $0) == 0 })
        else { return ("sample format", -EINVAL) }
        code = library.setFormat(handle, parameters, format)
        if code < 0 { return ("sample format", code) }
        var channels = wantedChannels
        code = library.setChannels(handle, parameters, near: &channels)
        if code < 0 { return ("\(channels) channels", code) }
        // The conversions of sound servers are quick and poor: ours are used instead.
        let isServer = library.isServer(handle)
        var rate = UInt32(isServer ? max(request.sampleRate, Self.serverRate) : request.sampleRate)
        code = library.setRate(handle, parameters, near: &rate)
        if code < 0 { return ("\(request.sampleRate) Hz", code) }
        // A device that has its own ideas about these is used as it is.
        var (period, buffer) = (UInt32(request.period * 1e6), Self.bufferTime)
        _ = library.setBufferTime(handle, parameters, near: &buffer)
        _ = library.setPeriodTime(handle, parameters, near: &period)
        return ("parameters", library.install(handle, parameters))
    }

    /// To pick a channel, as many are captured as there are up to it, and more than one: of a single one ALSA's
    /// conversions would make the mean of all.
    private var wantedChannels: UInt32 {
        guard case .channel(let index) = request.selection, request.channels == 1 else {
            return UInt32(request.channels)
        }
        return UInt32(max(2, index + 1))
    }

    private func readBack(_ parameters: OpaquePointer) throws(Failure) -> PCMParameters {
        let device = request.device
        var (rate, channels) = (UInt32(0), UInt32(0))
        var (period, buffer) = (0, 0)
        var format: AudioSampleFormat?
        let codes = [
            library.rate(parameters, &rate), library.channels(parameters, &channels),
            library.format(parameters, &format), library.periodSize(parameters, &period),
            library.bufferSize(parameters, &buffer),
        ]
        guard codes.allSatisfy({ $0 >= 0 }), let format, rate > 0, channels > 0 else {
            throw .unsupportedFormat(device: device, reason: "the device does not say what it captures")
        }
        let count = Int(channels)
        if case .channel(let index) = request.selection, request.channels == 1, index >= count {
            throw .unsupportedFormat(
                device: device, reason: "it has \(count) channels, and channel \(index) (counted from 0) is wanted")
        }
        guard [1, count].contains(request.channels) || count == 1 else {
            throw .unsupportedFormat(device: device, reason: "it has \(count) channels, not \(request.channels)")
        }
        return PCMParameters(
            sampleRate: Int(rate), channels: count, format: format, periodFrames: max(1, period),
            bufferFrames: max(1, buffer))
    }

    private func setSoftwareParameters(_ handle: OpaquePointer, _ parameters: PCMParameters) -> Int32 {
        var software: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&software) == 0, let software else { return -ENOMEM }
        defer { snd_pcm_sw_params_free(software) }
        var code = library.currentSoftware(handle, software)
        if code < 0 { return code }
        code = library.setMinimumAvailable(handle, software, parameters.periodFrames)
        if code < 0 { return code }
        return library.installSoftware(handle, software)
    }
}
