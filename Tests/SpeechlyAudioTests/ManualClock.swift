import Foundation
import SpeechlySync

/// A clock that stands still until it is told to move.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [UUID: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [CheckedContinuation<Instant, Never>] = []
    }

    private let state = Locked(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state in
                    if state.now >= deadline || Task.isCancelled {
                        continuation.resume()
                        return [] as [CheckedContinuation<Instant, Never>]
                    }
                    state.sleepers[id] = (deadline, continuation)
                    defer { state.watchers = [] }
                    return state.watchers
                }
                watchers.forEach { $0.resume(returning: deadline) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps; returns until when.
    func nextDeadline() async -> Duration {
        await withCheckedContinuation { watcher in
            let deadline = state.withLock { state -> Instant? in
                if let sleeper = state.sleepers.values.first { return sleeper.deadline }
                state.watchers.append(watcher)
                return nil
            }
            if let deadline { watcher.resume(returning: deadline) }
        }.offset
    }

    /// Moves the time on and wakes who has slept long enough.
    func advance(to offset: Duration) {
        let woken = state.withLock { state in
            state.now = Instant(offset: offset)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.values.map(\.continuation)
        }
        woken.forEach { $0.resume() }
    }
}
