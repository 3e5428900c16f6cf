import SpeechlySync

/// What those who wait for an utterance wait on: its start, and its end.
final class UtteranceHandle: Sendable {
    let id: Int
    private let start = Promise<String>()
    private let end = Promise<AudioContext>()

    init(id: Int) {
        self.id = id
    }

    /// The identifier of the context, once the service has started it.
    func started() async throws -> String {
        // Who starts again and again on a client that refuses at once would keep its thread from all other tasks.
        if start.isResolved { await Task.yield() }
        return try await start.value()
    }

    /// The context, once all its results are in.
    func stopped() async throws -> AudioContext { try await end.value() }

    func resolveStart(_ contextId: String) { start.resolve(.success(contextId)) }

    func resolveEnd(_ result: Result<AudioContext, any Error>) {
        if case .failure(let error) = result { start.resolve(.failure(error)) }
        end.resolve(result)
    }
}

/// A value that is there once and for all from some moment on.
final class Promise<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct State {
        var result: Result<Value, any Error>?
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Locked(State())

    var isResolved: Bool { state.withLock { $0.result != nil } }

    /// Sets the value; the first time counts.
    func resolve(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }

    /// Waits for the value.
    ///
    /// - Throws: the error in its place, or `CancellationError` when the calling task is cancelled.
    func value() async throws -> Value {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ready = state.withLock { state -> Result<Value, any Error>? in
                    if let result = state.result { return result }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let ready { continuation.resume(with: ready) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }
}
