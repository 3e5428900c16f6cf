import SpeechlySync

/// Lends recognisers, up to a number of them at a time, and keeps those given back for the next.
final class RecognizerPool: Sendable {
    /// Sendable: a recogniser is either in the pool, which never calls it, or with one lease.
    fileprivate struct Box: @unchecked Sendable {
        let recognizer: any SpeechRecognizer
    }

    /// A wish for a recogniser that has not been met yet.
    final class Ticket: Sendable {
        fileprivate let ready: @Sendable (Lease) -> Void

        fileprivate init(_ ready: @escaping @Sendable (Lease) -> Void) { self.ready = ready }
    }

    private struct State {
        var idle: [Box] = []
        var lent = 0
        var waiting: [Ticket] = []
    }

    /// Most recognisers lent at a time.
    let limit: Int
    private let make: @Sendable () throws -> any SpeechRecognizer
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: most recognisers lent at a time.
    ///   - make: makes a recogniser.
    init(limit: Int, make: @escaping @Sendable () throws -> any SpeechRecognizer) {
        self.limit = max(1, limit)
        self.make = make
    }

    /// Lends a recogniser as soon as one is free, in the order of the requests.
    /// - Parameter ready: called once with the lease, on this thread if one is free, else on the
    ///   thread that gives one back.
    /// - Returns: the wish, if it has to wait.
    @discardableResult
    func request(_ ready: @escaping @Sendable (Lease) -> Void) -> Ticket? {
        let ticket = Ticket(ready)
        let isFree = state.withLock { state in
            guard state.lent < limit else {
                state.waiting.append(ticket)
                return false
            }
            state.lent += 1
            return true
        }
        guard isFree else { return ticket }
        ready(Lease(pool: self))
        return nil
    }

    /// Gives up waiting.
    /// - Returns: whether the wish was still waiting; if not, its lease has been or is being handed over.
    @discardableResult
    func cancel(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === ticket }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
    }

    /// Makes a recogniser ahead of the first request, if there is none.
    func warmUp() {
        let isEmpty = state.withLock { $0.idle.isEmpty && $0.lent < limit }
        guard isEmpty, let recognizer = try? make() else { return }
        let box = Box(recognizer: recognizer)
        state.withLock { $0.idle.append(box) }
    }

    fileprivate func take() throws -> Box {
        if let box = state.withLock({ $0.idle.popLast() }) { return box }
        return Box(recognizer: try make())
    }

    fileprivate func giveBack(_ box: Box?) {
        let next = state.withLock { state -> Ticket? in
            // One was made ahead and others on demand: no more are kept than may be lent.
            if let box, state.idle.count < limit { state.idle.append(box) }
            guard !state.waiting.isEmpty else {
                state.lent -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        if let next { next.ready(Lease(pool: self)) }
    }

    /// The right to use one recogniser; given back with this object.
    ///
    /// Sendable: it is used by one context, whose jobs never run at the same time.
    final class Lease: @unchecked Sendable {
        private let pool: RecognizerPool
        private var box: Box?

        fileprivate init(pool: RecognizerPool) { self.pool = pool }

        deinit { pool.giveBack(box) }

        /// The recogniser; makes it if none is idle, which may take a while.
        func recognizer() throws -> any SpeechRecognizer {
            if let box { return box.recognizer }
            let taken = try pool.take()
            box = taken
            return taken.recognizer
        }

        /// Does not give the recogniser back, because it failed.
        func discard() { box = nil }
    }
}
