import CALSA
import Foundation

/// A capture device of ALSA, opened without blocking.
final class ALSADevice: PCMDevice {
    let parameters: PCMParameters
    private let handle: OpaquePointer
    private var isClosed = false

    /// Takes over an open and configured handle.
    init(handle: OpaquePointer, parameters: PCMParameters) {
        self.handle = handle
        self.parameters = parameters
    }

    deinit { close() }

    var pollDescriptors: [pollfd] {
        let count = max(0, snd_pcm_poll_descriptors_count(handle))
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let filled = snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count))
        return Array(descriptors.prefix(Int(max(0, filled))))
    }

    func prepare() -> Int32 { quietly { snd_pcm_prepare(handle) } }

    func start() -> Int32 { quietly { snd_pcm_start(handle) } }

    func resume() -> Int32 { quietly { snd_pcm_resume(handle) } }

    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        var events: UInt16 = 0
        let code = snd_pcm_poll_descriptors_revents(
            handle, descriptors.baseAddress, UInt32(descriptors.count), &events)
        return code < 0 ? code : Int32(events)
    }

    func available() -> Int { quietly { Int(snd_pcm_avail_update(handle)) } }

    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        quietly { Int(snd_pcm_readi(handle, buffer, snd_pcm_uframes_t(frames))) }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        quietly {
            // Without this, closing may wait for audio that nobody will read.
            snd_pcm_drop(handle)
            snd_pcm_close(handle)
        }
    }
}

/// Runs ALSA calls without its messages on standard error: their errors are reported as values.
///
/// The handler is the calling thread's own; the host's for the process stays.
@discardableResult
func quietly<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let previous = snd_lib_error_set_local { _, _, _, _, _, _ in }
    defer { snd_lib_error_set_local(previous) }
    return try body()
}
