import SpeechlyGRPC
import SpeechlySync

/// The SLU streams of a service: bounded, and drained when it goes down.
final class StreamRegistry: Sendable {
    private struct State {
        var drains: [Int: @Sendable () -> Void] = [:]
        var clients: [Int: Client] = [:]
        var counts: [Client: Int] = [:]
        var next = 0
        var isDraining = false
    }

    /// A device, as it logged in.
    private struct Client: Hashable {
        var deviceId: String
        var scope: TokenClaims.Scope
    }

    private let limit: Int
    private let limitPerClient: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: most streams at a time.
    ///   - limitPerClient: most of one device and application at a time.
    init(limit: Int, limitPerClient: Int) {
        self.limit = limit
        self.limitPerClient = limitPerClient
    }

    /// How many streams there are.
    var count: Int { state.withLock { $0.drains.count } }

    /// Enters a stream.
    /// - Parameters:
    ///   - holder: whose it is.
    ///   - drain: ends the stream as soon as its contexts are finished.
    /// - Returns: what ``leave(_:)`` takes.
    func enter(_ holder: TokenClaims, drain: @escaping @Sendable () -> Void) throws(GRPCStatus) -> Int {
        let client = Client(deviceId: holder.deviceId.lowercased(), scope: holder.scope)
        return try state.withLock { state throws(GRPCStatus) in
            guard !state.isDraining else { throw .shuttingDown }
            guard state.drains.count < limit else {
                throw GRPCStatus(
                    code: .resourceExhausted, message: "the service serves \(limit) streams already: try again later")
            }
            guard state.counts[client, default: 0] < limitPerClient else {
                throw GRPCStatus(
                    code: .resourceExhausted,
                    message: "this device has \(limitPerClient) streams open already: close one")
            }
            state.next += 1
            state.drains[state.next] = drain
            state.clients[state.next] = client
            state.counts[client, default: 0] += 1
            return state.next
        }
    }

    /// Leaves when the stream is over.
    func leave(_ place: Int) {
        state.withLock { state in
            state.drains[place] = nil
            guard let client = state.clients.removeValue(forKey: place), let count = state.counts[client] else {
                return
            }
            state.counts[client] = count > 1 ? count - 1 : nil
        }
    }

    /// Ends all streams as soon as their contexts are finished, and takes no more.
    func drain() {
        let drains = state.withLock { state in
            state.isDraining = true
            return Array(state.drains.values)
        }
        for drain in drains { drain() }
    }
}
