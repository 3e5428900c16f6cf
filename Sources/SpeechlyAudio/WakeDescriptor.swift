import CALSA
import Foundation

/// A descriptor that makes a `poll` return when another thread says so.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    /// Throws the `errno` text when the process has no descriptors left.
    ///
    /// - Parameter waits: Whether ``clear()`` waits for a signal where there is none.
    init(waits: Bool = false) throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | (waits ? 0 : Int32(EFD_NONBLOCK)))
        if descriptor < 0 { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }

    /// Makes `poll` return now, and until ``clear()``.
    func signal() {
        var one: UInt64 = 1
        // The one failure there can be is a counter that is full, and then `poll` returns anyway.
        _ = write(descriptor, &one, 8)
    }

    /// Takes the signals so far back.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}

/// A failed system call.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32

    var description: String { String(cString: strerror(code)) }
}
