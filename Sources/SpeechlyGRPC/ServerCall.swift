import CgRPCShim

/// What a client said about its call.
public struct ServerCallContext: Sendable {
    /// The method, `/package.Service/Method`.
    public let path: String

    /// The client's metadata.
    public let metadata: Metadata

    /// The client's network address as libgrpc writes it, `ipv4:127.0.0.1:40112` or `unix:` for example.
    /// Not proven by anything.
    public let peer: String

    /// When the client stops waiting; `nil` without a deadline.
    public let deadline: ContinuousClock.Instant?
}

/// A call on the server, driven by events.
public final class ServerCall: Sendable {
    /// What happens on a call.
    public enum Event {
        /// A message. The bytes are valid only until the handler returns.
        case message(UnsafeRawBufferPointer)
        /// The client sends no more messages.
        case halfClosed
        /// There is room again after ``SendResult/full``.
        case writable
        /// The call is over. Exactly once, and last. `cancelled` is whether the client went, cancelled,
        /// or ran out of time before it got the status.
        case ended(cancelled: Bool)
    }

    /// What became of a message given to `send`.
    public typealias SendResult = SpeechlyGRPC.SendResult

    /// What the client said about the call.
    public let context: ServerCallContext

    // Sendable: the C object has a lock of its own.
    nonisolated(unsafe) let handle: OpaquePointer
    private let core = ServerCallCore()

    init(incoming: spg_incoming, path: String) {
        handle = incoming.call
        var peer = ""
        if let text = spg_call_peer(incoming.call) {
            peer = String(cString: text)
            spg_free(text)
        }
        context = ServerCallContext(
            path: path, metadata: Metadata(shim: incoming.metadata), peer: peer,
            deadline: incoming.time_left_ns == .max ? nil : .now + .nanoseconds(incoming.time_left_ns))
    }

    deinit { spg_call_abandon(handle) }

    /// On the poller, before it returns from the callback that brought the call.
    func accept(handler: @escaping @Sendable (Event) -> Void) {
        core.keep(self, handler)
        withUnsafePointer(to: ServerCallCore.callbacks) {
            spg_call_accept(handle, $0, Unmanaged.passRetained(core).toOpaque(), false)
        }
    }

    /// Queues a copy of a message, and sends it at once if nothing is ahead of it.
    ///
    /// - Parameter urgent: Whether the message goes ahead of all queued ones and past the limit.
    /// - Returns: ``SendResult/full`` if the bytes in flight would pass the limit: nothing is queued then,
    ///   and ``Event/writable`` follows.
    public func send(_ bytes: UnsafeRawBufferPointer, urgent: Bool = false) -> SendResult {
        SendResult(shim: spg_call_send(handle, bytes.baseAddress, bytes.count, urgent))
    }

    /// The same for an array.
    public func send(_ bytes: [UInt8], urgent: Bool = false) -> SendResult {
        bytes.withUnsafeBytes { send($0, urgent: urgent) }
    }

    /// Queues a message as soon as there is room.
    ///
    /// - Throws: ``GRPCStatus`` if the call is over; `CancellationError` if the task was cancelled.
    public func sendWhenWritable(_ bytes: [UInt8]) async throws {
        try await core.gate.send(on: handle) { send(bytes) }
    }

    /// Sets the metadata that goes ahead of the first message, in place of what was set before.
    ///
    /// - Parameters:
    ///   - metadata: What to send.
    ///   - now: Whether to send it at once instead of with the first message.
    /// - Throws: ``GRPCStatus``: ``GRPCStatus/Code/internal`` if it cannot be sent,
    ///   ``GRPCStatus/Code/failedPrecondition`` if metadata went out already.
    public func setInitialMetadata(_ metadata: Metadata, now: Bool = false) throws {
        if let problem = metadata.problem() { throw GRPCStatus(code: .internal, message: problem) }
        guard spg_call_set_initial_metadata(handle, metadata.makeShim(), now) else {
            throw GRPCStatus(code: .failedPrecondition, message: "the initial metadata was sent before")
        }
    }

    /// Ends the call behind everything queued. Only the first one counts.
    ///
    /// - Parameter status: Its message and trailing metadata reach the client. With metadata that cannot be
    ///   sent, the call ends with ``GRPCStatus/Code/internal``.
    public func finish(_ status: GRPCStatus = .ok) {
        core.gate.closeByOwner()
        var status = status
        if let problem = status.trailingMetadata.problem() {
            status = GRPCStatus(code: .internal, message: "the service's trailing metadata: \(problem)")
        }
        var message = status.message ?? ""
        message.withUTF8 { message in
            message.withMemoryRebound(to: CChar.self) { message in
                _ = spg_call_finish(
                    handle, CInt(status.code.rawValue), message.baseAddress, message.count,
                    status.trailingMetadata.makeShim())
            }
        }
    }

    /// Ends the call at once, without a status of ours: the client sees it as cancelled.
    public func cancel() {
        spg_call_cancel(handle, CInt(GRPCStatus.Code.cancelled.rawValue), "the service cancelled the call")
    }

    /// Asks for no further message until ``resumeReading()``, so that the client has to wait once the
    /// connection's buffers are full. Called outside the handler, one more message may come; another may come
    /// just ahead of the end.
    public func pauseReading() { spg_call_pause(handle) }

    /// Asks for messages again.
    public func resumeReading() { spg_call_resume(handle) }

    /// The bytes of all messages that are queued or on their way to the network.
    public var bytesInFlight: Int { spg_call_bytes_in_flight(handle) }
}

/// What a server call's C object calls back.
final class ServerCallCore: @unchecked Sendable {
    // Sendable: `call` and `handler` are touched only on the poller.
    private var call: ServerCall?
    private var handler: ((ServerCall.Event) -> Void)?
    let gate = SendGate()

    func keep(_ call: ServerCall, _ handler: @escaping @Sendable (ServerCall.Event) -> Void) {
        self.call = call
        self.handler = handler
    }

    private func end(cancelled: Bool) {
        gate.end(with: cancelled ? GRPCStatus(code: .cancelled, message: "the client ended the call") : .ok)
        let (last, kept) = (handler, call)
        handler = nil
        call = nil
        withExtendedLifetime(kept) { last?(.ended(cancelled: cancelled)) }
    }

    @inline(__always)
    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (ServerCallCore) -> Void) {
        guard let context else { return }
        Unmanaged<ServerCallCore>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }

    static let callbacks = spg_callbacks(
        initial_metadata: { _, _ in },
        message: { context, bytes, count in
            ServerCallCore.with(context) { $0.handler?(.message(UnsafeRawBufferPointer(start: bytes, count: count))) }
        },
        half_closed: { context in ServerCallCore.with(context) { $0.handler?(.halfClosed) } },
        writable: { context in
            ServerCallCore.with(context) {
                $0.gate.open()
                $0.handler?(.writable)
            }
        },
        ended: { context, code, _, _, _ in ServerCallCore.with(context) { $0.end(cancelled: code != 0) } },
        release: { context in
            guard let context else { return }
            Unmanaged<ServerCallCore>.fromOpaque(context).release()
        }
    )
}
