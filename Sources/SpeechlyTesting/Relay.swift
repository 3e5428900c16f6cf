import Foundation
import SpeechlyGRPC
import SpeechlySync

/// Stands between clients and the server and passes bytes on, so that a test can break what lies between
/// them: connections, or just the flow of bytes.
///
/// One thread runs all connections with `poll`.
final class Relay: Sendable {
    enum Command: Sendable {
        case dropConnections
        case setStalled(Bool)
        case setAccepting(Bool)
        case shutDown
    }

    struct Inbox {
        var commands: [(command: Command, done: DispatchSemaphore)] = []
        var isClosed = false
    }

    /// The address clients connect to, with the real port.
    let address: GRPCAddress
    /// When each connection was taken.
    let connections = Locked<[ContinuousClock.Instant]>([])
    private let inbox = Locked(Inbox())
    private let wakeUp: WakeUp

    /// - Parameters:
    ///   - address: Where to listen: a numeric IPv4 or IPv6 host or a Unix socket; port 0 takes a free one.
    ///   - upstream: The server's own address.
    init(listen address: GRPCAddress, upstream: GRPCAddress) throws {
        let upstream = try SocketAddress(upstream)
        let listener = try SocketAddress(address).listen()
        do {
            self.address = try listener.boundAddress(like: address)
            wakeUp = try WakeUp()
        } catch {
            close(listener.descriptor)
            throw error
        }
        makeNonBlocking(listener.descriptor)
        let loop = RelayLoop(
            listener: listener.descriptor, wakeUp: wakeUp, upstream: upstream, address: self.address, inbox: inbox,
            connections: connections)
        Thread.detachNewThread { loop.run() }
    }

    deinit { perform(.shutDown) }

    /// Has the thread carry out a command, and returns when it has. The thread waits for nothing else than
    /// descriptors and commands, so that this takes no time to speak of.
    func perform(_ command: Command) {
        let done = DispatchSemaphore(value: 0)
        let isOpen = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.commands.append((command, done))
            return true
        }
        guard isOpen else { return }
        wakeUp.signal()
        done.wait()
    }
}

/// Ends a `poll` of another thread. Both ends of the pipe live until the last of their users is gone.
final class WakeUp: Sendable {
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
    private struct State {
        var listener: Int32?
        var connections: [RelayConnection] = []
        var isStalled = false
        var isClosed = false
    }

    let listener: Int32
    let wakeUp: WakeUp
    let upstream: SocketAddress
    let address: GRPCAddress
    let inbox: Locked<Relay.Inbox>
    let connections: Locked<[ContinuousClock.Instant]>

    func run() {
        var state = State(listener: listener)
        while !state.isClosed {
            wait(&state)
            let commands = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                // A command that comes after the last one would never be answered.
                inbox.isClosed = inbox.commands.contains { if case .shutDown = $0.command { true } else { false } }
                return inbox.commands
            }
            for (command, done) in commands {
                apply(command, to: &state)
                done.signal()
            }
        }
    }

    private func apply(_ command: Relay.Command, to state: inout State) {
        switch command {
        case .setStalled(let stalled): state.isStalled = stalled
        case .dropConnections: drop(&state)
        case .setAccepting(true):
            // Nobody else takes the port of an address that was bound before, short of a foul coincidence; then
            // connections go on being refused.
            if state.listener == nil { state.listener = try? SocketAddress(address).listen().descriptor }
            if let listener = state.listener { makeNonBlocking(listener) }
        case .setAccepting(false): refuse(&state)
        case .shutDown:
            refuse(&state)
            drop(&state)
            state.isClosed = true
        }
    }

    private func drop(_ state: inout State) {
        // Clients that wait to be accepted have a connection too.
        while let listener = state.listener, let connection = accept(from: listener) { connection.reset() }
        state.connections.forEach { $0.reset() }
        state.connections = []
    }

    private func refuse(_ state: inout State) {
        guard let listener = state.listener else { return }
        close(listener)
        if let path = address.unixPath { unlink(path) }
        state.listener = nil
    }

    private func wait(_ state: inout State) {
        var polls = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        polls.append(pollfd(fd: state.listener ?? -1, events: Int16(POLLIN), revents: 0))
        for connection in state.connections { polls += state.isStalled ? RelayConnection.idlePolls : connection.polls }
        guard poll(&polls, nfds_t(polls.count), -1) >= 0 else { return }
        if polls[0].revents != 0 { wakeUp.clear() }
        for index in state.connections.indices where !state.isStalled {
            state.connections[index].step(client: polls[2 + 2 * index].revents, server: polls[3 + 2 * index].revents)
        }
        state.connections.removeAll { connection in
            if connection.isOver { connection.closeBoth() }
            return connection.isOver
        }
        guard let listener = state.listener, polls[1].revents != 0 else { return }
        // Many clients may come at once, and each round looks at every connection.
        for _ in 0..<64 {
            guard let connection = accept(from: listener) else { return }
            state.connections.append(connection)
        }
    }

    private func accept(from listener: Int32) -> RelayConnection? {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        connections.withLock { $0.append(.now) }
        guard let server = try? upstream.connect() else {
            close(client)
            return nil
        }
        makeNonBlocking(client)
        makeNonBlocking(server)
        return RelayConnection(client: client, server: server)
    }
}
