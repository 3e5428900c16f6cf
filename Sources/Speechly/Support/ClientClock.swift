import Dispatch
import Foundation
import SpeechlySync

/// Time as the client sees it, so that tests can bring their own.
package protocol ClientClock: Sendable {
    /// Time since some fixed moment; never goes back.
    var now: Duration { get }

    /// Runs `body` once `deadline` has come, on any thread. A call cannot be taken back: `body` has to check
    /// whether it is still wanted.
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The system's monotonic clock, with timers on a queue that needs no run loop.
package struct SystemClock: ClientClock {
    package init() {}

    package var now: Duration { .nanoseconds(DispatchTime.now().uptimeNanoseconds) }

    package func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = deadline.within(.zero...(now + .longest)).components
        let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        DispatchQueue.global(qos: .userInitiated)
            .asyncAfter(deadline: DispatchTime(uptimeNanoseconds: nanoseconds), execute: body)
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: TimeInterval { self / .seconds(1) }

    /// The duration as people write it, such as `10 s` or `500 ms`.
    var text: String {
        let milliseconds = Int64((within().seconds * 1000).rounded())
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
