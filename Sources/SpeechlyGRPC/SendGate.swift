import CgRPCShim
import SpeechlySync

/// Where tasks wait until a call has room again, or has ended.
final class SendGate: Sendable {
    private struct State {
        var status: GRPCStatus?
        var closedByOwner = false
        var nextID: UInt64 = 0
        var waitingForRoom: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var waitingForEnd: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// How the call ended, if it has.
    var status: GRPCStatus? { state.withLock { $0.status } }

    /// The owner will send nothing more.
    func closeByOwner() { state.withLock { $0.closedByOwner = true } }

    func open() {
        let waiters = state.withLock { state in
            defer { state.waitingForRoom.removeAll() }
            return state.waitingForRoom
        }
        for waiter in waiters.values { waiter.resume() }
    }

    func end(with status: GRPCStatus) {
        let waiters = state.withLock { state in
            defer {
                state.waitingForRoom.removeAll()
                state.waitingForEnd.removeAll()
            }
            if state.status == nil { state.status = status }
            return Array(state.waitingForRoom.values) + Array(state.waitingForEnd.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Sends, again and again until the message is queued.
    func send(on call: OpaquePointer, _ attempt: () -> SendResult) async throws {
        while true {
            switch attempt() {
            case .sent: return
            case .full:
                await wait(in: \.waitingForRoom) { spg_call_awaits_writable(call) }
            case .closed:
                if state.withLock({ $0.status == nil && $0.closedByOwner }) {
                    throw GRPCStatus(code: .failedPrecondition, message: "a message was sent after the last one")
                }
                await wait(in: \.waitingForEnd) { true }
                if let status {
                    throw status.isOk ? GRPCStatus(code: .failedPrecondition, message: "the call has ended") : status
                }
            }
            try Task.checkCancellation()
        }
    }

    /// Returns when resumed, when the task is cancelled, or when `isNeeded` says that nothing will come.
    private func wait(
        in list: WritableKeyPath<State, [UInt64: CheckedContinuation<Void, Never>]> & Sendable, isNeeded: () -> Bool
    ) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended = state.withLock { state in
                    if state.status == nil { state[keyPath: list][id] = continuation }
                    return state.status != nil
                }
                // Asked only now, so that what happened before the continuation was in the list is seen.
                if ended {
                    continuation.resume()
                } else if !isNeeded() || Task.isCancelled {
                    resume(id, in: list)
                }
            }
        } onCancel: {
            resume(id, in: list)
        }
    }

    private func resume(
        _ id: UInt64, in list: WritableKeyPath<State, [UInt64: CheckedContinuation<Void, Never>]> & Sendable
    ) {
        state.withLock { $0[keyPath: list].removeValue(forKey: id) }?.resume()
    }
}
