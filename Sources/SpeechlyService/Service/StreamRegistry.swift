import SpeechlyGRPC
import SpeechlySync

/// The SLU streams of a service: bounded, and drained when it goes down.
final class StreamRegistry: Sendable {
    private struct State {
        var drains: [Int: @Sendable () -> Void] = [:]
        var next = 0
        var isDraining = false
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: most streams at a time.
    init(limit: Int) { self.limit = limit }

    /// Enters a stream.
    /// - Parameter drain: ends the stream as soon as its contexts are finished.
    /// - Returns: what ``leave(_:)`` takes.
    func enter(drain: @escaping @Sendable () -> Void) throws(GRPCStatus) -> Int {
        try state.withLock { state throws(GRPCStatus) in
            guard !state.isDraining else { throw .shuttingDown }
            guard state.drains.count < limit else {
                throw GRPCStatus(
                    code: .resourceExhausted, message: "the service serves \(limit) streams already: try again later")
            }
            state.next += 1
            state.drains[state.next] = drain
            return state.next
        }
    }

    /// Leaves when the stream is over.
    func leave(_ place: Int) { state.withLock { $0.drains[place] = nil } }

    /// Ends all streams as soon as their contexts are finished, and takes no more.
    func drain() {
        let drains = state.withLock { state in
            state.isDraining = true
            return Array(state.drains.values)
        }
        for drain in drains { drain() }
    }
}
