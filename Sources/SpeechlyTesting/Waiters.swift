import SpeechlySync

/// What a mock server waited for in vain.
public struct MockTimeout: Error, Sendable, CustomStringConvertible {
    /// What was waited for.
    public let what: String
    /// For how long.
    public let timeout: Duration
    /// What had been received by then.
    public let received: Received

    /// The whole story on one line.
    public var description: String { "timed out after \(timeout) waiting for \(what); received: \(received)" }
}

/// The record of a mock server and the tests that wait for something in it.
final class Recorder: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        let condition: @Sendable (Received) -> Bool
        let continuation: CheckedContinuation<Received, any Error>
    }

    private struct State {
        var received = Received()
        var waiters: [Waiter] = []
        var nextId = 0
        var abandoned: [Int: any Error] = [:]
    }

    private let state = Locked(State())

    var received: Received { state.withLock { $0.received } }

    /// Changes the record, then wakes whoever waited for what it has become.
    func update<Result>(_ change: (inout Received) -> Result) -> Result {
        let (result, woken, received) = state.withLock { state in
            let result = change(&state.received)
            let received = state.received
            var woken: [Waiter] = []
            state.waiters.removeAll { waiter in
                guard waiter.condition(received) else { return false }
                woken.append(waiter)
                return true
            }
            return (result, woken, received)
        }
        woken.forEach { $0.continuation.resume(returning: received) }
        return result
    }

    func wait(
        for what: String, timeout: Duration, until condition: @escaping @Sendable (Received) -> Bool
    ) async throws -> Received {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        let timer = Task {
            try await Task.sleep(for: timeout)
            abandon(id) { MockTimeout(what: what, timeout: timeout, received: $0) }
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(id: id, condition: condition, continuation: continuation))
            }
        } onCancel: {
            abandon(id) { _ in CancellationError() }
        }
    }

    private func add(_ waiter: Waiter) {
        let (known, error): (Received?, (any Error)?) = state.withLock { state in
            if let error = state.abandoned.removeValue(forKey: waiter.id) { return (nil, error) }
            if waiter.condition(state.received) { return (state.received, nil) }
            state.waiters.append(waiter)
            return (nil, nil)
        }
        if let known { waiter.continuation.resume(returning: known) }
        if let error { waiter.continuation.resume(throwing: error) }
    }

    private func abandon(_ id: Int, _ error: (Received) -> any Error) {
        let (waiter, reason): (Waiter?, any Error) = state.withLock { state in
            let reason = error(state.received)
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.abandoned[id] = reason
                return (nil, reason)
            }
            return (state.waiters.remove(at: index), reason)
        }
        waiter?.continuation.resume(throwing: reason)
    }
}
