import SpeechlySync

/// The messages of a call that its handler has not asked for yet; bounded by not reading on.
final class MessageBuffer: Sendable {
    private struct State {
        var queue: [[UInt8]] = []
        var head = 0
        var bytes = 0
        var paused = false
        var isDiscarding = false
        var isFinished = false
        var failure: GRPCStatus?
        var waiter: (id: UInt64, continuation: CheckedContinuation<Void, Never>)?
        var nextID: UInt64 = 0
    }

    private static let limit = 64 << 10

    private let call: ServerCall
    private let state = Locked(State())

    init(call: ServerCall) { self.call = call }

    func append(_ message: [UInt8]) {
        let waiter = state.withLock { state in
            guard !state.isDiscarding else { return CheckedContinuation<Void, Never>?.none }
            state.queue.append(message)
            state.bytes += message.count
            // Under the lock, like resuming, so that the call's state follows this one's.
            if state.bytes >= Self.limit && !state.paused {
                state.paused = true
                call.pauseReading()
            }
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        waiter?.resume()
    }

    func finish(_ failure: GRPCStatus?) {
        let waiter = state.withLock { state in
            state.isFinished = true
            if state.failure == nil { state.failure = failure }
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        waiter?.resume()
    }

    func discard() {
        state.withLock { state in
            state.isDiscarding = true
            state.queue = []
            state.head = 0
            state.bytes = 0
            state.paused = false
            call.resumeReading()
        }
    }

    func next() async throws -> [UInt8]? {
        while true {
            try Task.checkCancellation()
            if let result = try take() { return result.message }
            await wait()
        }
    }

    private func take() throws -> (message: [UInt8]?, Void)? {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.head < state.queue.count else { return state.isFinished ? (nil, ()) : nil }
            let message = state.queue[state.head]
            state.queue[state.head] = []
            state.head += 1
            state.bytes -= message.count
            if state.head == state.queue.count || state.head >= 64 {
                state.queue.removeFirst(state.head)
                state.head = 0
            }
            if state.paused && state.bytes < Self.limit / 2 {
                state.paused = false
                call.resumeReading()
            }
            return (message, ())
        }
    }

    private func wait() async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let previous = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    if state.head < state.queue.count || state.isFinished { return continuation }
                    defer { state.waiter = (id, continuation) }
                    return state.waiter?.continuation
                }
                previous?.resume()
                if Task.isCancelled { resume(id) }
            }
        } onCancel: {
            resume(id)
        }
    }

    private func resume(_ id: UInt64) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiter?.id == id else { return nil }
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }?.resume()
    }
}

extension ServerStream {
    /// A client's messages as an asynchronous sequence that reads no faster than its user.
    public struct Messages: AsyncSequence, Sendable {
        let buffer: MessageBuffer

        /// Gets the messages one by one.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let buffer: MessageBuffer

            /// The next message; `nil` when there are no more.
            public mutating func next() async throws -> [UInt8]? { try await buffer.next() }
        }

        /// An iterator over the messages not yet taken.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer) }
    }
}
