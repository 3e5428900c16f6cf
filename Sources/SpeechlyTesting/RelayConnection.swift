import Foundation

/// One client's connection and its counterpart to the server.
struct RelayConnection {
    /// Bytes on their way from one descriptor to the other.
    private struct Flow {
        static let limit = 256 * 1024
        var bytes: [UInt8] = []
        var isAtEnd = false
        var isShutDown = false

        mutating func step(from source: Int32, to sink: Int32, readable: Bool) -> Bool {
            if readable, !isAtEnd, bytes.count < Self.limit {
                var chunk = [UInt8](repeating: 0, count: 64 * 1024)
                let count = read(source, &chunk, chunk.count)
                if count > 0 {
                    bytes += chunk[..<count]
                } else if count == 0 {
                    isAtEnd = true
                } else if errno != EAGAIN && errno != EINTR {
                    return false
                }
            }
            if !bytes.isEmpty {
                let count = send(sink, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                if count >= 0 {
                    bytes.removeFirst(count)
                } else if errno != EAGAIN && errno != EINTR {
                    return false
                }
            }
            if isAtEnd, bytes.isEmpty, !isShutDown {
                isShutDown = true
                shutdown(sink, Int32(SHUT_WR))
            }
            return true
        }
    }

    let client: Int32
    let server: Int32
    private var up = Flow()
    private var down = Flow()
    private var isBroken = false

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    /// Entries that wait for nothing.
    static let idlePolls = [pollfd(fd: -1, events: 0, revents: 0), pollfd(fd: -1, events: 0, revents: 0)]

    /// What to wait for: the client's descriptor, then the server's. One that is of no use now is left out,
    /// since `poll` reports its hang-up whatever it is asked.
    var polls: [pollfd] { [entry(client, reads: up, writes: down), entry(server, reads: down, writes: up)] }

    /// Whether nothing can be passed on any more.
    var isOver: Bool { isBroken || (up.isShutDown && down.isShutDown) }

    private func entry(_ descriptor: Int32, reads: Flow, writes: Flow) -> pollfd {
        var events: Int16 = 0
        if !reads.isAtEnd, reads.bytes.count < Flow.limit { events |= Int16(POLLIN) }
        if !writes.bytes.isEmpty { events |= Int16(POLLOUT) }
        return pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
    }

    mutating func step(client clientEvents: Int16, server serverEvents: Int16) {
        let readable = Int16(POLLIN | POLLHUP | POLLERR)
        if !up.step(from: client, to: server, readable: clientEvents & readable != 0)
            || !down.step(from: server, to: client, readable: serverEvents & readable != 0)
        {
            isBroken = true
        }
    }

    /// Closes in a way that tells the peers that the connection is lost, not ended.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        for descriptor in [client, server] {
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
        closeBoth()
    }

    func closeBoth() {
        close(client)
        close(server)
    }
}
