import Dispatch
import Foundation

/// Delivers termination signals to a handler instead of ending the process.
///
/// After the first signal of a kind the system's default action is back, so that a second Ctrl-C ends a
/// program that does not come to its end.
final class SignalHandler {
    private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - once: whether only the first signal of a kind is delivered.
    ///   - handler: Called on a background queue with the number of the signal.
    init(_ signals: [Int32], once: Bool = true, handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "speechly.signals")
        sources = signals.map { number in
            // The default action would end the process before the source hears of the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if once { signal(number, SIG_DFL) }
                handler(number)
            }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }
}

/// Lets writing to a pipe without a reader fail with EPIPE instead of ending the process.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// Keeps the numbers of standard input, output and error taken where the program was started without them: the
/// first socket would get such a number, and what is printed would go to a peer.
func holdStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // For reading only, so that printing fails as it would without it. The lowest free number is this one.
        _ = open("/dev/null", O_RDONLY)
    }
}
