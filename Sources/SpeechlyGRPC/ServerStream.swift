import SpeechlySync

/// A call on the server, for a handler with a task of its own.
public final class ServerStream: Sendable {
    private struct State {
        var trailingMetadata = Metadata()
        var isCancelled = false
        var task: Task<Void, Never>?
        var isOver = false
    }

    /// What the client said about the call.
    public var context: ServerCallContext { call.context }

    /// The client's messages. Ends when the client sends no more; throws ``GRPCStatus`` with
    /// ``GRPCStatus/Code/cancelled`` if the call is cancelled. For one task at a time.
    public var messages: Messages { Messages(buffer: buffer) }

    private let call: ServerCall
    private let buffer: MessageBuffer
    private let state = Locked(State())

    private init(call: ServerCall) {
        self.call = call
        buffer = MessageBuffer(call: call)
    }

    /// Queues a message as soon as there is room.
    ///
    /// - Throws: ``GRPCStatus`` if the call is over; `CancellationError` if the task was cancelled.
    public func send(_ bytes: [UInt8]) async throws { try await call.sendWhenWritable(bytes) }

    /// Queues a message if there is room.
    public func trySend(_ bytes: [UInt8]) -> SendResult { call.send(bytes) }

    /// Sets the metadata that goes ahead of the first message.
    ///
    /// - Parameter now: Whether to send it at once instead of with the first message.
    /// - Throws: ``GRPCStatus`` if it cannot be sent or metadata went out already.
    public func setInitialMetadata(_ metadata: Metadata, now: Bool = false) throws {
        try call.setInitialMetadata(metadata, now: now)
    }

    /// Sets the metadata that goes with the status, ahead of what a thrown status has.
    public func setTrailingMetadata(_ metadata: Metadata) { state.withLock { $0.trailingMetadata = metadata } }

    /// Whether the client has gone, cancelled or run out of time.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    static func start(
        call: ServerCall, _ handler: @escaping @Sendable (ServerStream) async throws -> Void
    ) -> @Sendable (ServerCall.Event) -> Void {
        let stream = ServerStream(call: call)
        let task = Task {
            let status: GRPCStatus
            do {
                try await handler(stream)
                status = .ok
            } catch {
                status = GRPCStatus(handlerError: error)
            }
            stream.finish(status)
        }
        stream.state.withLock { if !$0.isOver { $0.task = task } }
        return { stream.handle($0) }
    }

    private func finish(_ status: GRPCStatus) {
        let own = state.withLock { state in
            state.task = nil
            state.isOver = true
            return state.trailingMetadata
        }
        var trailing = own
        trailing.append(contentsOf: status.trailingMetadata)
        call.finish(GRPCStatus(code: status.code, message: status.message, trailingMetadata: trailing))
        // What the handler did not read is of no use, but the call ends only behind it.
        buffer.discard()
    }

    private func handle(_ event: ServerCall.Event) {
        switch event {
        case .message(let bytes): buffer.append([UInt8](bytes))
        case .halfClosed: buffer.finish(nil)
        case .writable: break
        case .ended(let cancelled):
            guard cancelled else { return }
            let task = state.withLock { state in
                state.isCancelled = true
                defer { state.task = nil }
                return state.task
            }
            buffer.finish(GRPCStatus(code: .cancelled, message: "the client ended the call"))
            task?.cancel()
        }
    }
}

extension GRPCStatus {
    /// What a client learns of an error that a handler threw.
    init(handlerError error: any Error) {
        switch error {
        case let status as GRPCStatus: self = status
        case is CancellationError: self.init(code: .cancelled, message: "the service cancelled the call")
        default: self.init(code: .unknown, message: "the service failed")
        }
    }
}
