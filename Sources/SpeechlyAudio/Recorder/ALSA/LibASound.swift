import CALSA
import Foundation
import SpeechlySync

/// libasound itself.
struct LibASound: ALSALibrary {
    func open(_ handle: inout OpaquePointer?, _ name: String) -> Int32 {
        // Nothing else would be opened than the name's beginning.
        guard name.isWholeInC else { return -ENOENT }
        return snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
    }
    func close(_ handle: OpaquePointer) -> Int32 { snd_pcm_close(handle) }
    func isServer(_ handle: OpaquePointer) -> Bool { snd_pcm_type(handle) == SND_PCM_TYPE_IOPLUG }

    func prepare(_ handle: OpaquePointer) -> Int32 { snd_pcm_prepare(handle) }
    func start(_ handle: OpaquePointer) -> Int32 { snd_pcm_start(handle) }
    func resume(_ handle: OpaquePointer) -> Int32 { snd_pcm_resume(handle) }
    func drop(_ handle: OpaquePointer) -> Int32 { snd_pcm_drop(handle) }
    func available(_ handle: OpaquePointer) -> Int { Int(snd_pcm_avail_update(handle)) }
    func read(_ handle: OpaquePointer, into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        Int(snd_pcm_readi(handle, buffer, snd_pcm_uframes_t(frames)))
    }
    func descriptorCount(_ handle: OpaquePointer) -> Int32 { snd_pcm_poll_descriptors_count(handle) }
    func descriptors(_ handle: OpaquePointer, into list: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        snd_pcm_poll_descriptors(handle, list.baseAddress, UInt32(list.count))
    }
    func events(_ handle: OpaquePointer, in list: UnsafeMutableBufferPointer<pollfd>, _ events: inout UInt16) -> Int32 {
        snd_pcm_poll_descriptors_revents(handle, list.baseAddress, UInt32(list.count), &events)
    }
}

// MARK: Hardware parameters

extension LibASound {
    func anyParameters(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 {
        snd_pcm_hw_params_any(handle, parameters)
    }
    func setResampling(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ isAllowed: Bool) -> Int32 {
        snd_pcm_hw_params_set_rate_resample(handle, parameters, isAllowed ? 1 : 0)
    }
    func setInterleaved(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 {
        snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
    func testFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32 {
        snd_pcm_hw_params_test_format(handle, parameters, format.alsa)
    }
    func setFormat(_ handle: OpaquePointer, _ parameters: OpaquePointer, _ format: AudioSampleFormat) -> Int32 {
        snd_pcm_hw_params_set_format(handle, parameters, format.alsa)
    }
    func setChannels(_ handle: OpaquePointer, _ parameters: OpaquePointer, near channels: inout UInt32) -> Int32 {
        snd_pcm_hw_params_set_channels_near(handle, parameters, &channels)
    }
    func setRate(_ handle: OpaquePointer, _ parameters: OpaquePointer, near rate: inout UInt32) -> Int32 {
        var direction: Int32 = 0
        return snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, &direction)
    }
    func setBufferTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32 {
        var direction: Int32 = 0
        return snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &time, &direction)
    }
    func setPeriodTime(_ handle: OpaquePointer, _ parameters: OpaquePointer, near time: inout UInt32) -> Int32 {
        var direction: Int32 = 0
        return snd_pcm_hw_params_set_period_time_near(handle, parameters, &time, &direction)
    }
    func install(_ handle: OpaquePointer, _ parameters: OpaquePointer) -> Int32 {
        snd_pcm_hw_params(handle, parameters)
    }

    func rate(_ parameters: OpaquePointer, _ rate: inout UInt32) -> Int32 {
        var direction: Int32 = 0
        return snd_pcm_hw_params_get_rate(parameters, &rate, &direction)
    }
    func channels(_ parameters: OpaquePointer, _ channels: inout UInt32) -> Int32 {
        snd_pcm_hw_params_get_channels(parameters, &channels)
    }
    func format(_ parameters: OpaquePointer, _ format: inout AudioSampleFormat?) -> Int32 {
        var value = SND_PCM_FORMAT_UNKNOWN
        let code = snd_pcm_hw_params_get_format(parameters, &value)
        format = AudioSampleFormat.allCases.first { $0.alsa == value }
        return code
    }
    func periodSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32 {
        var direction: Int32 = 0
        var size: snd_pcm_uframes_t = 0
        let code = snd_pcm_hw_params_get_period_size(parameters, &size, &direction)
        frames = Int(size)
        return code
    }
    func bufferSize(_ parameters: OpaquePointer, _ frames: inout Int) -> Int32 {
        var size: snd_pcm_uframes_t = 0
        let code = snd_pcm_hw_params_get_buffer_size(parameters, &size)
        frames = Int(size)
        return code
    }
}

// MARK: Software parameters

extension LibASound {
    func currentSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32 {
        snd_pcm_sw_params_current(handle, software)
    }
    func setMinimumAvailable(_ handle: OpaquePointer, _ software: OpaquePointer, _ frames: Int) -> Int32 {
        snd_pcm_sw_params_set_avail_min(handle, software, snd_pcm_uframes_t(frames))
    }
    func installSoftware(_ handle: OpaquePointer, _ software: OpaquePointer) -> Int32 {
        snd_pcm_sw_params(handle, software)
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
