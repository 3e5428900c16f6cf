import SpeechlySync

/// One request that any number of callers wait for. It is cancelled when the last of them is.
final class SharedLogin: Sendable {
    private typealias Waiter = CheckedContinuation<ApiAccessToken, any Error>

    private struct State {
        var task: Task<Void, Never>?
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var nextId = 0
        var result: Result<ApiAccessToken, any Error>?
        var isAbandoned = false
    }

    private let state = Locked(State())

    /// The request was cancelled before the caller could join it.
    struct Abandoned: Error {}

    /// Whether a new caller can still join.
    var isOpen: Bool { state.withLock { !$0.isAbandoned && $0.result == nil } }

    /// Waits for the request; the first caller starts it.
    ///
    /// - Parameter request: makes the request.
    /// - Throws: what the request threw, `CancellationError` when the calling task is cancelled, or `Abandoned`.
    func value(_ request: @escaping @Sendable () async throws -> ApiAccessToken) async throws -> ApiAccessToken {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(id, continuation, request)
            }
        } onCancel: {
            leave(id)
        }
    }

    private func join(
        _ id: Int, _ continuation: Waiter, _ request: @escaping @Sendable () async throws -> ApiAccessToken
    ) {
        let result: Result<ApiAccessToken, any Error>? = state.withLock { state in
            if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
            if state.isAbandoned { return .failure(Abandoned()) }
            if let result = state.result { return result }
            state.waiters[id] = continuation
            if state.task == nil {
                state.task = Task { [self] in
                    do { finish(.success(try await request())) } catch { finish(.failure(error)) }
                }
            }
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func leave(_ id: Int) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.waiters.removeValue(forKey: id) else {
                state.cancelled.insert(id)
                return (nil, nil)
            }
            guard state.waiters.isEmpty, state.result == nil else { return (waiter, nil) }
            state.isAbandoned = true
            return (waiter, state.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    private func finish(_ result: Result<ApiAccessToken, any Error>) {
        let waiters = state.withLock { state in
            state.result = result
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
