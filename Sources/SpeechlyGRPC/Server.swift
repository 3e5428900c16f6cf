import CgRPCShim
import SpeechlySync

/// Serves gRPC calls on one address.
///
/// Handlers are registered by method, before or after the start. libgrpc 1.51 has known weaknesses
/// against hostile peers: keep a server on loopback or a Unix socket, or behind a current proxy.
/// Dropping the last reference kills the server.
public final class Server: Sendable {
    private enum Phase {
        case new
        case running(OpaquePointer)
        case stopped
    }

    /// The settings the server was made with.
    public let configuration: Configuration

    /// The address it was made for; ``start()`` returns the one it got.
    public let address: GRPCAddress

    private let core: ServerCore
    private let phase = Locked(Phase.new)

    /// A server, not listening yet.
    ///
    /// - Parameters:
    ///   - address: Where to listen. Port 0 takes a free one. A host of several addresses, or several
    ///     hosts, are all listened on.
    ///   - configuration: Its settings.
    public init(address: GRPCAddress, configuration: Configuration = .init()) {
        self.address = address
        self.configuration = configuration
        core = ServerCore()
    }

    deinit {
        phase.withLock { phase in
            if case .running(let handle) = phase {
                forgetSocket()
                spg_server_release(handle)
            }
            phase = .stopped
        }
    }

    /// Serves a method with one message in each direction.
    ///
    /// - Parameters:
    ///   - path: The method, `/package.Service/Method`.
    ///   - handler: Called in a task of its own, which is cancelled when the call is. A ``GRPCStatus``
    ///     it throws ends the call; any other error ends it with ``GRPCStatus/Code/unknown`` and tells
    ///     the client no more.
    public func registerUnary(
        _ path: String, _ handler: @escaping @Sendable (ServerCallContext, [UInt8]) async throws -> [UInt8]
    ) {
        core.register(path) { UnaryHandler.start(call: $0, handler) }
    }

    /// Serves a method with any number of messages in both directions, one task for each call.
    ///
    /// - Parameters:
    ///   - path: The method, `/package.Service/Method`.
    ///   - handler: The call ends when it returns, with ``GRPCStatus/ok``, or when it throws, as at
    ///     ``registerUnary(_:_:)``. Its task is cancelled when the call is.
    public func registerBidirectional(
        _ path: String, _ handler: @escaping @Sendable (ServerStream) async throws -> Void
    ) {
        core.register(path) { ServerStream.start(call: $0, handler) }
    }

    /// Serves a method with any number of messages in both directions, without a task.
    ///
    /// - Parameters:
    ///   - path: The method, `/package.Service/Method`.
    ///   - events: Called with each call as it arrives; returns what is called with its events. Both run
    ///     on the transport's only thread, one at a time: they must not block. They may use every method
    ///     of this package. The call and the handler are kept until ``ServerCall/Event/ended(cancelled:)``.
    public func registerBidirectional(
        _ path: String, events: @escaping @Sendable (ServerCall) -> (@Sendable (ServerCall.Event) -> Void)
    ) {
        core.register(path, events)
    }

    /// Starts to listen and to take calls.
    ///
    /// - Returns: The address with the real port.
    /// - Throws: ``GRPCStatus`` if it cannot listen there (``GRPCStatus/Code/unavailable``, with the
    ///   cause), if the settings contradict the address, or if it was started before.
    @discardableResult
    public func start() throws -> GRPCAddress {
        try Runtime.start()
        return try phase.withLock { phase in
            guard case .new = phase else {
                throw GRPCStatus(code: .failedPrecondition, message: "\(address): the server was started before")
            }
            let (handle, bound) = try ServerListener.listen(address, configuration, core)
            spg_server_start(handle)
            if let path = bound.unixPath { ListeningSockets.add(path) }
            phase = .running(handle)
            return bound
        }
    }

    /// Stops: takes no new calls, lets the running ones end, and cancels those that have not after `grace`.
    ///
    /// A client that calls meanwhile gets ``GRPCStatus/Code/unavailable``. Returns when the last call has ended
    /// and all connections are closed. Cancelling the task ends the grace.
    public func shutdown(grace: Duration) async {
        guard let handle = handle() else { return }
        core.drain()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                await core.drained.wait()
                forgetSocket()
                // Not sooner: libgrpc closes a connection that it has said goodbye on with its last call, and
                // what the client has not read by then is lost where the client is sending. After the last
                // call, it waits until the client has read that far.
                spg_server_shutdown(handle.pointer)
                await core.stopped.wait()
            }
            group.addTask { try? await Task.sleep(for: grace.within()) }
            await group.next()
            group.cancelAll()
        }
        if !core.stopped.isOpen {
            forgetSocket()
            spg_server_kill(handle.pointer)
            await core.stopped.wait(evenIfCancelled: true)
        }
    }

    /// Stops at once: every call is cancelled and every connection dropped. Does not wait.
    public func kill() {
        guard let handle = handle() else { return }
        forgetSocket()
        spg_server_kill(handle.pointer)
    }

    private func forgetSocket() {
        if let path = address.unixPath { ListeningSockets.forget(path) }
    }

    // `self` keeps the handle alive.
    private struct Handle: @unchecked Sendable {
        // Sendable: the C object has a lock of its own.
        let pointer: OpaquePointer
    }

    /// The server to be stopped, if it is running. One that was not started will not be.
    private func handle() -> Handle? {
        phase.withLock { phase in
            guard case .running(let handle) = phase else {
                phase = .stopped
                return nil
            }
            return Handle(pointer: handle)
        }
    }
}
