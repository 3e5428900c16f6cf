import Foundation
import SpeechlyGRPC
import SpeechlySync

/// Notices what a connection does not outlive, and does not show for a long time.
package protocol ConnectionWatch: Sendable {
    /// What has happened since the last call; `nil` for nothing.
    func change() -> String?
}

/// Watches the machine's sleep and the addresses of its networks.
final class SystemWatch: ConnectionWatch {
    private struct State {
        var slept: Duration
        var addresses: Set<String>
    }

    private let state: Locked<State>
    private let slept: @Sendable () -> Duration
    private let addresses: @Sendable () -> Set<String>

    /// - Parameters:
    ///   - slept: how long the machine has slept since it was started.
    ///   - addresses: the addresses of its networks.
    init(
        slept: @escaping @Sendable () -> Duration = SystemWatch.timeAsleep,
        addresses: @escaping @Sendable () -> Set<String> = SystemWatch.networkAddresses
    ) {
        self.slept = slept
        self.addresses = addresses
        state = Locked(State(slept: slept(), addresses: addresses()))
    }

    /// A watch for connections to an address; `nil` if they never leave this machine.
    static func watch(for address: GRPCAddress) -> SystemWatch? { address.isLocal ? nil : SystemWatch() }

    func change() -> String? {
        let now = State(slept: slept(), addresses: addresses())
        let before = state.withLock { state in
            defer { state = now }
            return state
        }
        if now.slept - before.slept > .seconds(1) { return "the machine has slept" }
        // A further address leaves connections alone; one that is gone takes its connections with it.
        if !before.addresses.isSubset(of: now.addresses) { return "the network has changed" }
        return nil
    }

    static func timeAsleep() -> Duration {
        func read(_ clock: clockid_t) -> Duration {
            var time = timespec()
            clock_gettime(clock, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        // Only the first of the two goes on during sleep.
        return read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC)
    }

    static func networkAddresses() -> Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var entry = list
        while let interface = entry?.pointee {
            entry = interface.ifa_next
            guard let address = interface.ifa_addr, interface.ifa_flags & UInt32(IFF_UP) != 0,
                interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let length: Int
            switch Int32(address.pointee.sa_family) {
            case AF_INET: length = MemoryLayout<sockaddr_in>.size
            case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
            default: continue
            }
            var name = [CChar](repeating: 0, count: 64)
            guard getnameinfo(address, socklen_t(length), &name, 64, nil, 0, NI_NUMERICHOST) == 0 else { continue }
            found.insert(String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return found
    }
}

extension GRPCAddress {
    /// Whether the address never leaves this machine.
    package var isLocal: Bool {
        if unixPath != nil { return true }
        return endpoints.allSatisfy { endpoint in
            let host = endpoint.host.lowercased()
            return host == "localhost" || host == "::1"
                || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
        }
    }
}
