import Foundation
import SpeechlySync

/// Runs a handler on a queue after one or more signals, which are given by a single system call.
///
/// `@unchecked Sendable`: dispatch sources may be used from any thread.
final class SignalSource: @unchecked Sendable {
    private let wake: WakeDescriptor
    private let source: any DispatchSourceRead
    private let handler = Locked(Handler())

    private struct Handler {
        // In a struct: a bare closure in a generic type is wrapped once more each time that it is looked at.
        var run: (@Sendable () -> Void)?
    }

    init(queue: DispatchQueue) throws(SystemError) {
        let wake = try WakeDescriptor()
        self.wake = wake
        source = DispatchSource.makeReadSource(fileDescriptor: wake.descriptor, queue: queue)
        source.setEventHandler { [handler] in
            wake.clear()
            handler.withLock { $0.run }?()
        }
        // The descriptor has to stay open until nobody polls it.
        source.setCancelHandler { withExtendedLifetime(wake) {} }
        // At once, because a source that was never resumed must not be released.
        source.resume()
    }

    deinit { source.cancel() }

    func start(_ handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0.run = handler }
        signal()
    }

    /// Lets the handler run. Neither waits nor allocates.
    func signal() { wake.signal() }
}
