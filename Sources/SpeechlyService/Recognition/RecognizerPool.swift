import SpeechlySync

/// The recognisers of one application: all are alike.
final class RecognizerKind: Sendable {
    let make: @Sendable () throws -> any SpeechRecognizer

    init(make: @escaping @Sendable () throws -> any SpeechRecognizer) { self.make = make }
}

/// Lends recognisers, up to a number of them at a time over all kinds, and keeps those given back for the next.
final class RecognizerPool: Sendable {
    /// Sendable: a recogniser is either in the pool, which never calls it, or with one lease.
    fileprivate struct Box: @unchecked Sendable {
        let recognizer: any SpeechRecognizer
        let kind: RecognizerKind
    }

    /// A wish for a recogniser that has not been met yet.
    final class Ticket: Sendable {
        fileprivate let kind: RecognizerKind
        fileprivate let ready: @Sendable (Lease) -> Void

        fileprivate init(_ kind: RecognizerKind, _ ready: @escaping @Sendable (Lease) -> Void) {
            self.kind = kind
            self.ready = ready
        }
    }

    private struct State {
        /// The one that was given back last is last.
        var idle: [Box] = []
        var retired: Set<ObjectIdentifier> = []
        var lent = 0
        var waiting: [Ticket] = []
    }

    /// Most recognisers lent at a time.
    let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: most recognisers lent at a time.
    init(limit: Int) { self.limit = max(1, limit) }

    /// How many are lent, and how many wishes wait.
    var counts: (lent: Int, waiting: Int) { state.withLock { ($0.lent, $0.waiting.count) } }

    /// Lends a recogniser as soon as one is free, in the order of the requests.
    /// - Parameters:
    ///   - kind: what it has to be for.
    ///   - ready: called once with the lease, on this thread if one is free, else on the thread that
    ///     gives one back.
    /// - Returns: the wish, if it has to wait.
    @discardableResult
    func request(_ kind: RecognizerKind, _ ready: @escaping @Sendable (Lease) -> Void) -> Ticket? {
        let ticket = Ticket(kind, ready)
        let isFree = state.withLock { state in
            guard state.lent < limit else {
                state.waiting.append(ticket)
                return false
            }
            state.lent += 1
            return true
        }
        guard isFree else { return ticket }
        ready(Lease(pool: self, kind: kind))
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

    /// Makes a recogniser ahead of the first request, if there is none of the kind.
    func warmUp(_ kind: RecognizerKind) {
        let isWanted = state.withLock { state in
            !state.idle.contains { $0.kind === kind } && state.idle.count + state.lent < limit
        }
        guard isWanted, let recognizer = try? kind.make() else { return }
        let box = Box(recognizer: recognizer, kind: kind)
        state.withLock { state in
            if !state.retired.contains(ObjectIdentifier(kind)) { state.idle.append(box) }
        }
    }

    /// Keeps no more recognisers of a kind; those that are lent are still used.
    func retire(_ kind: RecognizerKind) {
        // What is dropped ends outside the lock: an engine may take its time.
        let dropped = state.withLock { state -> [Box] in
            state.retired.insert(ObjectIdentifier(kind))
            defer { state.idle.removeAll { $0.kind === kind } }
            return state.idle.filter { $0.kind === kind }
        }
        withExtendedLifetime(dropped) {}
    }

    fileprivate func take(_ kind: RecognizerKind) throws -> Box {
        let (found, dropped) = state.withLock { state -> (Box?, Box?) in
            if let index = state.idle.lastIndex(where: { $0.kind === kind }) {
                return (state.idle.remove(at: index), nil)
            }
            // Another kind makes room: idle ones count as well, because they take as much memory.
            let isFull = !state.idle.isEmpty && state.idle.count + state.lent > limit
            return (nil, isFull ? state.idle.removeFirst() : nil)
        }
        withExtendedLifetime(dropped) {}
        return try found ?? Box(recognizer: kind.make(), kind: kind)
    }

    fileprivate func giveBack(_ box: Box?) {
        let next = state.withLock { state -> Ticket? in
            // One was made ahead and others on demand: no more are kept than may be lent.
            if let box, state.idle.count < limit, !state.retired.contains(ObjectIdentifier(box.kind)) {
                state.idle.append(box)
            }
            guard !state.waiting.isEmpty else {
                state.lent -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        if let next { next.ready(Lease(pool: self, kind: next.kind)) }
    }

    /// The right to use one recogniser; given back with this object.
    ///
    /// Sendable: it is used by one context, whose jobs never run at the same time.
    final class Lease: @unchecked Sendable {
        private let pool: RecognizerPool
        private let kind: RecognizerKind
        private var box: Box?

        fileprivate init(pool: RecognizerPool, kind: RecognizerKind) {
            self.pool = pool
            self.kind = kind
        }

        deinit { pool.giveBack(box) }

        /// The recogniser; makes it if none is idle, which may take a while.
        func recognizer() throws -> any SpeechRecognizer {
            if let box { return box.recognizer }
            let taken = try pool.take(kind)
            box = taken
            return taken.recognizer
        }

        /// Does not give the recogniser back, because it failed.
        func discard() { box = nil }
    }
}
