import Foundation
import SpeechlyGRPC
import SpeechlySync

/// The thread of a proxy, which runs all its connections with `poll`.
struct FaultProxyLoop: Sendable {
    let listener: Int32
    let address: GRPCAddress
    let upstream: SocketAddress
    let wakeUp: WakeUp
    let plan: Locked<FaultProxy.Plan>

    private struct State {
        var listener: Int32?
        var connections: [FaultyConnection] = []
    }

    func run() {
        var state = State(listener: listener)
        while true {
            let (isClosed, commands) = plan.withLock { plan in
                defer { plan.commands = [] }
                return (plan.isClosed, plan.commands)
            }
            for command in commands { apply(command, &state) }
            if isClosed { break }
            wait(&state)
        }
        for connection in state.connections { connection.end(resetting: true) }
        if let listener = state.listener { close(listener) }
    }

    private func apply(_ command: FaultProxy.Command, _ state: inout State) {
        switch command {
        case .resetConnections:
            for connection in state.connections { connection.end(resetting: true) }
            state.connections = []
        case .setListening(false):
            if let listener = state.listener { close(listener) }
            state.listener = nil
        case .setListening(true):
            guard state.listener == nil else { return }
            state.listener = try? SocketAddress(address).listen().descriptor
            if let listener = state.listener { makeNonBlocking(listener) }
        }
    }

    private func wait(_ state: inout State) {
        let before = ContinuousClock.now
        var polls = [
            pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: state.listener ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        for connection in state.connections { polls += connection.polls(before) }
        let due = state.connections.compactMap { $0.wakeUp(before) }.min()
        let timeout = due.map { Int32(clamping: Int(($0 - before) / .milliseconds(1)) + 1) } ?? -1
        guard poll(&polls, nfds_t(polls.count), timeout) >= 0 else { return }
        if polls[0].revents != 0 { wakeUp.clear() }
        let now = ContinuousClock.now
        var kept: [FaultyConnection] = []
        for (index, connection) in state.connections.enumerated() {
            var connection = connection
            let hadShown = connection.hasShown
            let fate = connection.step(
                client: polls[2 + 2 * index].revents, server: polls[3 + 2 * index].revents, now)
            if connection.hasShown, !hadShown { plan.withLock { $0.count(connection.fault) } }
            switch fate {
            case .goesOn: kept.append(connection)
            case .closes: connection.end(resetting: false)
            case .resets: connection.end(resetting: true)
            }
        }
        state.connections = kept
        if let listener = state.listener, polls[1].revents != 0 { accept(from: listener, &state) }
    }

    private func accept(from listener: Int32, _ state: inout State) {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return }
        let fault = plan.withLock { plan in
            let fault = plan.next()
            if fault == .refuse || fault == .stall { plan.count(fault) }
            return fault
        }
        guard fault != .refuse, let server = try? upstream.connect() else {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            close(client)
            return
        }
        makeNonBlocking(client)
        makeNonBlocking(server)
        state.connections.append(FaultyConnection(client: client, server: server, fault: fault))
    }
}
