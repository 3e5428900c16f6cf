import Dispatch
import Foundation

/// Delivers termination signals to a handler instead of ending the process.
///
/// After the first signal of a kind the system's default action is back, so that a second Ctrl-C ends a
/// program that does not come to its end.
final class SignalHandler {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: Called on a background queue with the number of the signal, once per kind.
    init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "speechly.signals")
        sources = signals.map { number in
            // The default action would end the process before the source hears of the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                signal(number, SIG_DFL)
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
