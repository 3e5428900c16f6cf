import Dispatch
import Foundation
import Speechly
import SpeechlyService
import SpeechlySync

/// Delivers termination signals to a handler instead of ending the process.
///
/// The first signal goes to the handler. A second one, of whichever kind, ends a program that does not come to its end;
/// its temporary folders and its sockets go with it. Where a moment is given, the same signal within it is no second one:
/// `timeout` sends it to the program and then to its group, which a person's hand is too slow for.
final class SignalHandler {
    /// What ends a program: Ctrl-C, a supervisor, a terminal that closes.
    static let endings = [SIGINT, SIGTERM, SIGHUP]

    /// How soon the same signal is the first one still, for a program that ends by itself in less than a second or two.
    static let moment = Duration.milliseconds(200)

    private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - once: whether a second signal ends the process; else each goes to the handler.
    ///   - moment: how soon after the first one the same signal counts as that.
    ///   - handler: Called on a background queue with the number of the signal.
    init(_ signals: [Int32], once: Bool = true, moment: Duration = .zero, handler: @escaping @Sendable (Int32) -> Void)
    {
        let queue = DispatchQueue(label: "speechly.signals")
        let first = Locked<(number: Int32, time: ContinuousClock.Instant)?>(nil)
        sources = signals.compactMap { number in
            // The default action would end the process before the source hears of the signal.
            let before = signal(number, SIG_IGN)
            // Under nohup the program is to outlive its terminal.
            if number == SIGHUP, once, isIgnored(before) { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let now = ContinuousClock.now
                let before = first.withLock { first in
                    defer { first = first ?? (number, now) }
                    return first
                }
                guard once, let before else { return handler(number) }
                if number != before.number || now - before.time >= moment { endProcess(by: number) }
            }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }
}

/// Ends the process as the signal does by itself, without its temporary folders and its sockets.
func endProcess(by number: Int32) {
    ListeningSockets.removeAll()
    TemporaryFolders.removeAll()
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The first process of a container is not ended by its own signals.
    if getpid() == 1 { _exit(128 + number) }
}

private func isIgnored(_ action: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

/// Lets writing to a pipe without a reader fail with EPIPE instead of ending the process.
func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
