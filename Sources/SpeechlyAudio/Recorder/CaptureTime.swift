import Foundation

/// The clock and the waiting of a capture thread, which tests replace.
struct CaptureTime: Sendable {
    /// The time since some fixed moment, in nanoseconds.
    var now: @Sendable () -> UInt64
    /// As the system call.
    var poll: @Sendable (_ descriptors: UnsafeMutablePointer<pollfd>?, _ count: nfds_t, _ timeout: Int32) -> Int32

    /// The system's.
    static let system = CaptureTime(now: monotonicTime) { Foundation.poll($0, $1, $2) }
}

/// The time since some fixed moment, in nanoseconds; it stands still while the computer sleeps.
@Sendable func monotonicTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
