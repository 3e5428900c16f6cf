import Foundation
import SpeechlyGRPC
import SpeechlySync

/// Stands between clients and a server, and does to their connections what networks do.
///
/// ```swift
/// let server = try MockSpeechlyServer()
/// let proxy = try FaultProxy(to: server.address)
/// proxy.plan([.refuse, .cut(after: 4_000)])
/// // … the first connection to proxy.address is refused, the second breaks, further ones are good …
/// ```
///
/// It knows nothing of what the bytes mean, so that TLS passes as well. Everything is safe to call from any thread.
/// It stops when it is released.
public final class FaultProxy: Sendable {
    struct Plan {
        var faults: [Fault] = []
        var fallback = Fault.none
        var injected: [Fault.Kind: Int] = [:]
        var commands: [Command] = []
        var connections = 0
        var isClosed = false

        mutating func next() -> Fault {
            connections += 1
            return faults.isEmpty ? fallback : faults.removeFirst()
        }

        /// A fault has shown: its connection is not what it would have been.
        mutating func count(_ fault: Fault) { injected[fault.kind, default: 0] += 1 }
    }

    enum Command: Sendable {
        case resetConnections
        case setListening(Bool)
    }

    /// Where clients find the server, with the real port. It is secure if the server's address is.
    public let address: GRPCAddress

    private let plan = Locked(Plan())
    private let wakeUp: WakeUp

    /// Starts a proxy on a free port of loopback.
    ///
    /// - Parameter server: A numeric host and port, or a Unix socket, without or with TLS.
    /// - Throws: ``MockServerError``.
    public init(to server: GRPCAddress) throws {
        let plain =
            server.unixPath == nil ? GRPCAddress(host: server.host, port: server.port, secure: false) : server
        let upstream = try SocketAddress(plain)
        let local = GRPCAddress(host: "127.0.0.1", port: 0, secure: false)
        let listener = try SocketAddress(local).listen()
        let bound: GRPCAddress
        do {
            bound = try listener.boundAddress(like: local)
            wakeUp = try WakeUp()
        } catch {
            close(listener.descriptor)
            throw error
        }
        makeNonBlocking(listener.descriptor)
        address = GRPCAddress(host: bound.host, port: bound.port, secure: server.secure)
        let loop = FaultProxyLoop(
            listener: listener.descriptor, address: bound, upstream: upstream, wakeUp: wakeUp, plan: plan)
        Thread.detachNewThread { loop.run() }
    }

    deinit { stop() }

    /// What becomes of the next connections, one after the other; what was planned before is forgotten.
    ///
    /// - Parameters:
    ///   - faults: One for each connection.
    ///   - fallback: For all connections after those.
    public func plan(_ faults: [Fault], then fallback: Fault = .none) {
        plan.withLock { plan in
            plan.faults = faults
            plan.fallback = fallback
        }
    }

    /// Resets every connection there is.
    public func resetConnections() { send(.resetConnections) }

    /// Stops listening, so that the system refuses connections as it does when a server is gone; or listens again.
    public func setListening(_ listening: Bool) { send(.setListening(listening)) }

    /// Breaks every connection and stops.
    public func stop() {
        plan.withLock { $0.isClosed = true }
        wakeUp.signal()
    }

    /// How many connections there have been.
    public var connections: Int { plan.withLock { $0.connections } }

    /// How many faults have shown so far, by kind. A cut that its connection never came to is not among them.
    public var injected: [Fault.Kind: Int] { plan.withLock { $0.injected } }

    private func send(_ command: Command) {
        plan.withLock { $0.commands.append(command) }
        wakeUp.signal()
    }
}
