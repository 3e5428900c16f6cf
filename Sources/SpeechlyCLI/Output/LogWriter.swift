import Foundation
import Speechly
import SpeechlyService
import SpeechlySync

/// Writes a service's log as JSON, one object a line, without keeping the service waiting.
///
/// A reader that does not keep up loses entries, and is told how many.
final class LogWriter: Sendable {
    private struct State {
        var waiting = 0
        var dropped = 0
    }

    private static let maximumWaiting = 1_000

    private let stream: StandardStream
    private let queue = DispatchQueue(label: "speechly.log")
    private let state = Locked(State())

    init(_ stream: StandardStream) { self.stream = stream }

    func log(level: LogLevel) -> ServiceLog { ServiceLog(level: level) { self.write($0) } }

    private func write(_ entry: ServiceLog.Entry) {
        let dropped = state.withLock { state -> Int? in
            guard state.waiting < Self.maximumWaiting else {
                state.dropped += 1
                return nil
            }
            state.waiting += 1
            defer { state.dropped = 0 }
            return state.dropped
        }
        guard let dropped else { return }
        queue.async { [self] in
            if dropped > 0 { try? stream.writeLine("{\"event\":\"log_dropped\",\"count\":\(dropped)}") }
            // Where nobody reads the log, the service goes on.
            try? stream.writeLine(entry.json)
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Waits until everything is written, for a second at most.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + 1)
    }
}
