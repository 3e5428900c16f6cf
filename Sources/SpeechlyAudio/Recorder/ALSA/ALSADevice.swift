import CALSA
import Foundation

/// A capture device of ALSA, opened without blocking.
final class ALSADevice: PCMDevice {
    let parameters: PCMParameters
    private let library: any ALSALibrary
    private let handle: OpaquePointer
    private var isClosed = false

    /// Takes over an open and configured handle.
    init(library: any ALSALibrary, handle: OpaquePointer, parameters: PCMParameters) {
        self.library = library
        self.handle = handle
        self.parameters = parameters
    }

    deinit { close() }

    var pollDescriptors: [pollfd] {
        let count = min(64, max(0, library.descriptorCount(handle)))
        var descriptors = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(count))
        let filled = descriptors.withUnsafeMutableBufferPointer { library.descriptors(handle, into: $0) }
        return Array(descriptors.prefix(Int(max(0, filled))))
    }

    func prepare() -> Int32 { quietly { library.prepare(handle) } }

    func start() -> Int32 { quietly { library.start(handle) } }

    func resume() -> Int32 { quietly { library.resume(handle) } }

    func drop() -> Int32 { quietly { library.drop(handle) } }

    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
        var events: UInt16 = 0
        let code = library.events(handle, in: descriptors, &events)
        return code < 0 ? code : Int32(events)
    }

    func available() -> Int { quietly { library.available(handle) } }

    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        quietly { library.read(handle, into: buffer, frames: frames) }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        quietly {
            // Without this, closing may wait for audio that nobody will read.
            _ = library.drop(handle)
            _ = library.close(handle)
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
