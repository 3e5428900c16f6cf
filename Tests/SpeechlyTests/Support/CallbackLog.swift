import Foundation
import SpeechlySync
import XCTest

@testable import Speechly

/// A delegate that writes down what it is told, and lets a test wait for it.
final class CallbackLog: SpeechlyDelegate, Sendable {
    enum Callback: Equatable {
        case started
        case stopped
        case segment(Segment)
        case transcript(Transcript)
        case entity(Entity)
        case intent(Intent)
        case error(SpeechlyError)
    }

    struct TimedOut: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var callbacks: [Callback] = []
        var states: [ClientStateChange] = []
        var onCallback: (@Sendable (Callback) -> Void)?
        var waiters: [(condition: ([Callback]) -> Bool, promise: Promise<Void>)] = []
    }

    private let state = Locked(State())
    /// When set, every callback has to come on this queue.
    let queue: DispatchQueue?

    init(queue: DispatchQueue? = nil, onCallback: (@Sendable (Callback) -> Void)? = nil) {
        self.queue = queue
        state.withLock { $0.onCallback = onCallback }
    }

    var callbacks: [Callback] { state.withLock { $0.callbacks } }
    var errors: [SpeechlyError] { callbacks.errors }
    var states: [ClientStateChange] { state.withLock { $0.states } }

    func speechlyClient(_ client: SpeechlyProtocol, didChangeState change: ClientStateChange) {
        if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
        state.withLock { $0.states.append(change) }
    }

    /// Waits until the callbacks so far meet a condition.
    @discardableResult
    func wait(
        for what: String, timeout: Duration = .seconds(20), _ condition: @escaping @Sendable ([Callback]) -> Bool
    ) async throws -> [Callback] {
        let promise = Promise<Void>()
        let isMet = state.withLock { state in
            if condition(state.callbacks) { return true }
            state.waiters.append((condition, promise))
            return false
        }
        if isMet { return callbacks }
        let timer = Task {
            try await Task.sleep(for: timeout)
            promise.resolve(.failure(TimedOut(description: "waited for \(what); there was \(callbacks)")))
        }
        defer { timer.cancel() }
        try await promise.value()
        return callbacks
    }

    private func log(_ callback: Callback) {
        if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
        let (met, hook) = state.withLock { state in
            state.callbacks.append(callback)
            let callbacks = state.callbacks
            let met = state.waiters.filter { $0.condition(callbacks) }
            state.waiters.removeAll { $0.condition(callbacks) }
            return (met, state.onCallback)
        }
        for waiter in met { waiter.promise.resolve(.success(())) }
        hook?(callback)
    }

    func speechlyClientDidCatchError(_ client: SpeechlyProtocol, error: SpeechlyError) { log(.error(error)) }
    func speechlyClientDidStartContext(_ client: SpeechlyProtocol) { log(.started) }
    func speechlyClientDidStopContext(_ client: SpeechlyProtocol) { log(.stopped) }
    func speechlyClientDidUpdateSegment(_ client: SpeechlyProtocol, segment: Segment) { log(.segment(segment)) }
    func speechlyClientDidReceiveTranscript(
        _ client: SpeechlyProtocol, contextId: String, segmentId: Int, transcript: Transcript
    ) { log(.transcript(transcript)) }
    func speechlyClientDidReceiveEntity(
        _ client: SpeechlyProtocol, contextId: String, segmentId: Int, entity: Entity
    ) { log(.entity(entity)) }
    func speechlyClientDidReceiveIntent(
        _ client: SpeechlyProtocol, contextId: String, segmentId: Int, intent: Intent
    ) { log(.intent(intent)) }
}

extension [CallbackLog.Callback] {
    var errors: [SpeechlyError] {
        compactMap {
            if case .error(let error) = $0 { return error }
            return nil
        }
    }

    var segments: [Segment] {
        compactMap {
            if case .segment(let segment) = $0 { return segment }
            return nil
        }
    }

    func count(of callback: CallbackLog.Callback) -> Int { filter { $0 == callback }.count }

    /// The final words, in the order in which they came.
    var finalWords: [Transcript] {
        compactMap {
            if case .transcript(let word) = $0, word.isFinal { return word }
            return nil
        }
    }
}
