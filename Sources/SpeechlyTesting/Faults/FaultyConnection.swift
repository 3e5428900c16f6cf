import Foundation

/// One connection through a proxy, with the fault that it has.
struct FaultyConnection {
    /// Bytes that wait for the other side, and from when on they may go there.
    private struct Flow {
        var queue: [(at: ContinuousClock.Instant, bytes: [UInt8])] = []
        var queued = 0
        var isAtEnd = false
        var isShutDown = false
    }

    enum Fate {
        case goesOn
        case closes
        case resets
    }

    private static let limit = 128 * 1024
    /// `POLLRDHUP`, which Swift does not import.
    private static let hangUp: Int16 = 0x2000

    let client: Int32
    let server: Int32
    let fault: Fault
    private var up = Flow()
    private var down = Flow()
    private var passed = 0
    private(set) var hasShown = false
    private var isMute = false
    /// When the next bytes may pass.
    private var next = ContinuousClock.Instant.now

    init(client: Int32, server: Int32, fault: Fault) {
        self.client = client
        self.server = server
        self.fault = fault
    }

    /// What to wait for: the client's descriptor, then the server's.
    func polls(_ now: ContinuousClock.Instant) -> [pollfd] {
        [entry(client, reads: up, writes: down, now), entry(server, reads: down, writes: up, now)]
    }

    private func entry(_ descriptor: Int32, reads: Flow, writes: Flow, _ now: ContinuousClock.Instant) -> pollfd {
        var events: Int16 = 0
        // Nothing passes, but a client that goes away is let go.
        if isSilent, descriptor == client { events = Self.hangUp }
        if !isSilent, !reads.isAtEnd, reads.queued < Self.limit { events |= Int16(POLLIN) }
        if !isSilent, let first = writes.queue.first, first.at <= now, next <= now { events |= Int16(POLLOUT) }
        return pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
    }

    /// When the connection wants to be stepped even if nothing happens; `nil` for never.
    func wakeUp(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard !isSilent, let first = [up.queue.first?.at, down.queue.first?.at].compactMap({ $0 }).min() else {
            return nil
        }
        let due = max(first, next)
        return due > now ? due : nil
    }

    private var isSilent: Bool {
        switch fault {
        case .stall: true
        case .hang: isMute
        default: false
        }
    }

    mutating func step(client clientEvents: Int16, server serverEvents: Int16, _ now: ContinuousClock.Instant) -> Fate {
        let readable = Int16(POLLIN | POLLHUP | POLLERR)
        if isSilent { return clientEvents != 0 ? .resets : .goesOn }
        if clientEvents & readable != 0, !read(from: client, into: \.up, now) { return .resets }
        if serverEvents & readable != 0, !read(from: server, into: \.down, now) { return .resets }
        for (path, sink) in [(\FaultyConnection.up, server), (\.down, client)] {
            let fate = write(path, to: sink, now)
            if fate != .goesOn { return fate }
        }
        return up.isShutDown && down.isShutDown ? .closes : .goesOn
    }

    private mutating func read(
        from source: Int32, into path: WritableKeyPath<FaultyConnection, Flow>, _ now: ContinuousClock.Instant
    ) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 32 * 1024)
        let count = Foundation.read(source, &chunk, chunk.count)
        if count > 0 {
            var at = now
            if case .delay(let pause) = fault {
                at += pause
                hasShown = true
            }
            self[keyPath: path].queue.append((at, Array(chunk[..<count])))
            self[keyPath: path].queued += count
        } else if count == 0 {
            self[keyPath: path].isAtEnd = true
        } else if errno != EAGAIN && errno != EINTR {
            return false
        }
        return true
    }

    private mutating func write(
        _ path: WritableKeyPath<FaultyConnection, Flow>, to sink: Int32, _ now: ContinuousClock.Instant
    ) -> Fate {
        while let first = self[keyPath: path].queue.first, first.at <= now, next <= now, !isSilent {
            // After a half-close the client's bytes still go to the server, and the server's nowhere.
            let isDropped = isMute && path == \.down
            let count = isDropped ? first.bytes.count : send(first.bytes, allowance(first.bytes.count), to: sink)
            guard count >= 0 else { return errno == EAGAIN || errno == EINTR ? .goesOn : .resets }
            if count == first.bytes.count {
                self[keyPath: path].queue.removeFirst()
            } else {
                self[keyPath: path].queue[0].bytes.removeFirst(count)
            }
            self[keyPath: path].queued -= count
            passed += count
            let fate = act(now, count, isWhole: path == \.down && count == first.bytes.count)
            if fate != .goesOn { return fate }
            if count == 0 { break }
        }
        if self[keyPath: path].isAtEnd, self[keyPath: path].queue.isEmpty, !self[keyPath: path].isShutDown {
            self[keyPath: path].isShutDown = true
            shutdown(sink, Int32(SHUT_WR))
        }
        return .goesOn
    }

    private func send(_ bytes: [UInt8], _ count: Int, to sink: Int32) -> Int {
        Foundation.send(sink, bytes, count, Int32(MSG_NOSIGNAL))
    }

    /// How many of so many bytes may pass at once.
    private func allowance(_ count: Int) -> Int {
        switch fault {
        case .cut(let after), .reset(let after), .hang(let after), .halfClose(let after):
            return hasShown ? count : max(0, min(count, after - passed))
        case .throttle(let rate): return min(count, max(1, rate / 50))
        case .dribble(let first, _): return passed < first ? 1 : count
        default: return count
        }
    }

    /// Does what is due now that so many bytes have passed.
    ///
    /// - Parameter isWhole: whether the client has all that the server has written so far.
    private mutating func act(_ now: ContinuousClock.Instant, _ count: Int, isWhole: Bool) -> Fate {
        switch fault {
        case .cut(let after) where passed >= after:
            hasShown = true
            return .closes
        case .reset(let after) where passed >= after:
            hasShown = true
            return .resets
        case .hang(let after) where passed >= after:
            hasShown = true
            isMute = true
        case .halfClose(let after) where passed >= after && !hasShown:
            hasShown = true
            isMute = true
            shutdown(client, Int32(SHUT_WR))
        case .garbage(let after, let seed) where passed >= after && !hasShown && isWhole:
            // Within a message they would make another message of it, which nothing in plain text could tell.
            hasShown = true
            var random = seed
            let bytes = (0..<64).map { _ -> UInt8 in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: random >> 56)
            }
            _ = send(bytes, bytes.count, to: client)
        case .throttle(let rate):
            hasShown = true
            next = now + .seconds(Double(count) / Double(max(1, rate)))
        case .dribble(let first, let pause) where passed < first:
            hasShown = true
            next = now + pause
        default: break
        }
        return .goesOn
    }

    func end(resetting: Bool) {
        if resetting {
            var linger = linger(l_onoff: 1, l_linger: 0)
            for descriptor in [client, server] {
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
        }
        close(client)
        close(server)
    }
}
