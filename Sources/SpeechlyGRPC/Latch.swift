import SpeechlySync

/// Something that happens once, and that tasks can wait for.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Locked(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters.removeAll() }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Returns when it has happened, or when the task is cancelled.
    func wait(evenIfCancelled: Bool = false) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiters[id] = continuation }
                    return state.isOpen
                }
                if isOpen { return continuation.resume() }
                if !evenIfCancelled && Task.isCancelled { resume(id) }
            }
        } onCancel: {
            if !evenIfCancelled { resume(id) }
        }
    }

    private func resume(_ id: UInt64) { state.withLock { $0.waiters.removeValue(forKey: id) }?.resume() }
}
