import Foundation
import SpeechlyGRPC
import SpeechlySync

/// Stands between clients and the server and passes bytes on, so that a test can break what lies between
/// them: connections, or just the flow of bytes.
///
/// One thread runs all connections with `poll`.
final class Relay: Sendable {
    struct State {
        var isAccepting = true
        var isStalled = false
        var dropRequests = 0
        var isClosed = false
    }

    /// The address clients connect to, with the real port.
    let address: GRPCAddress
    private let state = Locked(State())
    private let wakeUp: WakeUp

    /// - Parameters:
    ///   - address: Where to listen: a numeric IPv4 or IPv6 host or a Unix socket; port 0 takes a free one.
    ///   - upstream: The path of the server's Unix socket.
    init(listen address: GRPCAddress, upstream: String) throws {
        let listener = try SocketAddress(address).listen()
        self.address = try listener.boundAddress(like: address)
        do {
            wakeUp = try WakeUp()
        } catch {
            close(listener.descriptor)
            throw error
        }
        let loop = RelayLoop(
            listener: listener.descriptor, wakeUp: wakeUp, upstream: upstream, address: self.address, state: state)
        Thread.detachNewThread { loop.run() }
    }

    deinit { shutDown() }

    /// Breaks every connection with a reset.
    func dropConnections() { update { $0.dropRequests += 1 } }

    /// Whether bytes are held back in both directions; new connections are taken but nothing comes over them.
    func setStalled(_ stalled: Bool) { update { $0.isStalled = stalled } }

    /// Whether new connections are taken; when not, they are refused.
    func setAccepting(_ accepting: Bool) { update { $0.isAccepting = accepting } }

    /// Breaks every connection and ends the thread.
    func shutDown() { update { $0.isClosed = true } }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        wakeUp.signal()
    }
}

/// Ends a `poll` of another thread. Both ends of the pipe live until the last of their users is gone.
private final class WakeUp: Sendable {
    let descriptor: Int32
    private let input: Int32

    init() throws(MockServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system("pipe", errno) }
        ends.forEach(makeNonBlocking)
        descriptor = ends[0]
        input = ends[1]
    }

    deinit {
        close(descriptor)
        close(input)
    }

    func signal() {
        var byte: UInt8 = 1
        _ = write(input, &byte, 1)
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}

/// The thread's own part of a relay.
private struct RelayLoop: Sendable {
    let listener: Int32
    let wakeUp: WakeUp
    let upstream: String
    let address: GRPCAddress
    let state: Locked<Relay.State>

    func run() {
        var listener: Int32? = listener
        var connections: [RelayConnection] = []
        var drops = 0
        while true {
            let now = state.withLock { $0 }
            if now.dropRequests != drops || now.isClosed {
                drops = now.dropRequests
                connections.forEach { $0.reset() }
                connections = []
            }
            if now.isClosed { break }
            if !now.isAccepting, let open = listener {
                close(open)
                removeSocketFile()
                listener = nil
            } else if now.isAccepting, listener == nil {
                listener = try? SocketAddress(address).listen().descriptor
            }
            wait(listener, &connections, stalled: now.isStalled)
        }
        if let listener {
            close(listener)
            removeSocketFile()
        }
    }

    private func removeSocketFile() {
        if let path = address.unixPath { unlink(path) }
    }

    private func wait(_ listener: Int32?, _ connections: inout [RelayConnection], stalled: Bool) {
        var polls = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        polls.append(pollfd(fd: listener ?? -1, events: Int16(POLLIN), revents: 0))
        for connection in connections { polls += stalled ? RelayConnection.idlePolls : connection.polls }
        // Without a listener although one is wanted, binding is tried again now and then.
        guard poll(&polls, nfds_t(polls.count), listener == nil ? 50 : -1) >= 0 else { return }
        if polls[0].revents != 0 { wakeUp.clear() }
        for index in connections.indices {
            connections[index].step(client: polls[2 + 2 * index].revents, server: polls[3 + 2 * index].revents)
        }
        connections.removeAll { connection in
            if connection.isOver { connection.closeBoth() }
            return connection.isOver
        }
        if let listener, polls[1].revents != 0, let connection = accept(from: listener) {
            connections.append(connection)
        }
    }

    private func accept(from listener: Int32) -> RelayConnection? {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        guard let path = try? GRPCAddress(unixPath: upstream), let server = try? SocketAddress(path).connect() else {
            close(client)
            return nil
        }
        makeNonBlocking(client)
        makeNonBlocking(server)
        return RelayConnection(client: client, server: server)
    }
}
