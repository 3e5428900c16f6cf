import CgRPCShim
import Dispatch

/// A call with any number of messages in both directions.
///
/// Dropping the last reference cancels the call; its handler then gets nothing more. The handler may
/// hold the call: it is let go after ``Event/end(_:)``.
public final class BidirectionalCall: Sendable {
    /// What happens on a call.
    public enum Event {
        /// The server's initial metadata; before any message, at most once.
        case initialMetadata(Metadata)
        /// A message. The bytes are valid only until the handler returns.
        case message(UnsafeRawBufferPointer)
        /// There is room again after ``SendResult/full``.
        case writable
        /// The call has ended. Exactly once, and last.
        case end(GRPCStatus)
    }

    /// What became of a message given to `send`.
    public typealias SendResult = SpeechlyGRPC.SendResult

    // Sendable: the C object has a lock of its own.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let core: CallCore
    private let channel: Channel

    /// Opens a call. Connecting, if need be, is part of it; messages can be sent at once.
    ///
    /// - Parameters:
    ///   - channel: Where to.
    ///   - path: The method, `/package.Service/Method`.
    ///   - options: Metadata, deadline and whether to wait for a connection.
    ///   - handler: Called with each event, one at a time and in order, on the transport's only thread:
    ///     it must not block. It may call every method of this package and may drop its objects. The
    ///     first event may come before the initialiser returns.
    /// - Throws: ``GRPCStatus``: ``GRPCStatus/Code/invalidArgument`` if path or metadata cannot be sent,
    ///   ``GRPCStatus/Code/unavailable`` if the channel is closed.
    public init(
        channel: Channel, path: String, options: CallOptions = .init(),
        handler: @escaping @Sendable (Event) -> Void
    ) throws {
        if let problem = options.metadata.problem() {
            throw GRPCStatus(code: .invalidArgument, message: problem)
        }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw GRPCStatus(
                code: .invalidArgument, message: "'\(path)' is not a method: write /package.Service/Method")
        }
        self.channel = channel
        core = CallCore(address: channel.address, handler: handler)
        let context = Unmanaged.passRetained(core)
        var path = path
        let opened = path.withUTF8 { path in
            path.withMemoryRebound(to: CChar.self) { path in
                withUnsafePointer(to: CallCore.callbacks) { callbacks in
                    spg_call_open(
                        channel.handle, path.baseAddress, path.count, options.metadata.makeShim(),
                        options.timeout?.clampedNanoseconds ?? -1, options.waitForReady,
                        max(1, channel.configuration.maximumBytesInFlight), false, callbacks, context.toOpaque())
                }
            }
        }
        guard let opened else {
            context.release()
            throw channel.error(.unavailable, "the channel is closed")
        }
        handle = opened
        if let resolver = channel.resolver { wait(for: resolver, timeout: options.timeout) }
    }

    /// libgrpc keeps the deadline of a call only once it has the call.
    private func wait(for resolver: TargetResolver, timeout: Duration?) {
        resolver.callOpened()
        guard let timeout, resolver.connectivityState != nil else { return }
        let seconds = Double(timeout.positiveMilliseconds) / 1_000
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.cancel(GRPCStatus(code: .deadlineExceeded, message: "Deadline Exceeded"))
        }
    }

    deinit { spg_call_abandon(handle) }

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
    /// - Throws: The call's ``GRPCStatus`` if it has ended; `CancellationError` if the task was
    ///   cancelled meanwhile. The message is not queued then, and the call goes on.
    public func sendWhenWritable(_ bytes: [UInt8]) async throws {
        try await core.gate.send(on: handle) { send(bytes) }
    }

    /// Tells the server, behind everything queued, that no more messages follow.
    public func closeSend() {
        core.gate.closeByOwner()
        spg_call_close_send(handle)
    }

    /// Ends the call. It ends with `status` unless it has ended already.
    public func cancel(_ status: GRPCStatus = GRPCStatus(code: .cancelled, message: "the caller cancelled the call")) {
        // A cancelled call cannot have succeeded.
        let code = status.isOk ? GRPCStatus.Code.cancelled : status.code
        spg_call_cancel(handle, CInt(code.rawValue), status.message ?? "")
    }

    /// Asks for no further message until ``resumeReading()``, so that the server has to wait once the
    /// connection's buffers are full. Called outside the handler, one more message may come; another may come
    /// just ahead of the end.
    public func pauseReading() { spg_call_pause(handle) }

    /// Asks for messages again.
    public func resumeReading() { spg_call_resume(handle) }

    /// The bytes of all messages that are queued or on their way to the network.
    public var bytesInFlight: Int { spg_call_bytes_in_flight(handle) }
}

extension SendResult {
    init(shim: spg_send_result) {
        switch shim {
        case SPG_SENT: self = .sent
        case SPG_FULL: self = .full
        default: self = .closed
        }
    }
}
