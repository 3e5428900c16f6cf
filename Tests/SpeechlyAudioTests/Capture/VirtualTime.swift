import Foundation
import SpeechlySync

@testable import SpeechlyAudio

/// A clock that runs as fast as it is waited on: whoever waits for a device gets it after 20 ms, and whoever waits
/// for a time has it at once.
final class VirtualTime: Sendable {
    private let nanoseconds = Locked<UInt64>(1_000_000_000)
    private let step: UInt64
    /// Called before each wait, on the capture thread.
    private let beforeWait: @Sendable () -> Void

    private let pause: UInt32

    /// - Parameter pause: How long a wait takes in truth, in microseconds.
    init(step: Duration = .milliseconds(20), pause: UInt32 = 0, beforeWait: @escaping @Sendable () -> Void = {}) {
        self.step = UInt64(step / .nanoseconds(1))
        self.pause = pause
        self.beforeWait = beforeWait
    }

    var now: UInt64 { nanoseconds.withLock { $0 } }

    func advance(_ duration: UInt64) { nanoseconds.withLock { $0 += duration } }

    var captureTime: CaptureTime {
        CaptureTime(
            now: { self.now },
            poll: { descriptors, count, timeout in
                self.beforeWait()
                // Lets the others have the processor, as waiting does.
                if self.pause > 0 { usleep(self.pause) }
                guard let descriptors else { return 0 }
                for index in 0..<Int(count) { descriptors[index].revents = 0 }
                if poll(descriptors, 1, 0) > 0 { return 1 }
                let wanted = UInt64(max(0, timeout)) * 1_000_000
                guard count > 1 else {
                    self.advance(wanted)
                    return 0
                }
                self.advance(min(wanted, self.step))
                for index in 1..<Int(count) { descriptors[index].revents = Int16(POLLIN) }
                return 1
            })
    }
}
