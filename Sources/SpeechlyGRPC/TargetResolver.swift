import CgRPCShim
import Foundation
import SpeechlySync

/// Looks up the names of an address with several hosts, on a thread that may block, and gives the
/// result to the channel that waits for it.
final class TargetResolver: Sendable {
    private enum Phase {
        case idle
        case resolving
        case resolved
        case failed(String, retryAt: ContinuousClock.Instant)
        case closed
    }

    private struct State {
        var phase = Phase.idle
        var attempt = 0
        var backoff: Duration
        var observers: [@Sendable () -> Void] = []
    }

    // Sendable: the C object has a lock of its own, and this holds a reference to it.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let target: ChannelTarget
    private let state: Locked<State>

    init(handle: OpaquePointer, target: ChannelTarget) {
        spg_channel_retain(handle)
        self.handle = handle
        self.target = target
        state = Locked(State(backoff: target.configuration.initialReconnectBackoff.within()))
    }

    deinit { spg_channel_release(handle) }

    /// The channel's state as long as it has no target; then `nil`.
    var connectivityState: ConnectivityState? {
        state.withLock { state in
            switch state.phase {
            case .idle: .idle
            case .resolving: .connecting
            case .failed: .transientFailure
            case .resolved: nil
            case .closed: .shutdown
            }
        }
    }

    /// Calls `observer` once, when the state has changed.
    func onChange(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(observer) } }

    func close() { move { state in state.phase = .closed } }

    /// Starts to look up if that is not under way, done, or just failed.
    func resolve() {
        var attempt: Int?
        move { state in
            switch state.phase {
            case .resolving, .resolved, .closed: return
            case .failed(_, let retryAt) where .now < retryAt: return
            case .idle, .failed:
                state.phase = .resolving
                state.attempt += 1
                attempt = state.attempt
            }
        }
        guard let attempt else { return }
        let seconds = Double(target.configuration.connectTimeout.positiveMilliseconds) / 1_000
        DispatchQueue.global().async { [self] in end(attempt, HostLookup.endpoints(of: target.address)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.end(attempt, .failure(.init(cause: "the name service does not answer")))
        }
    }

    /// To be called when a call was opened.
    func callOpened() {
        resolve()
        let failure = state.withLock { state -> String? in
            if case .failed(let message, _) = state.phase { return message }
            return nil
        }
        if let failure { failWaiting(failure) }
    }

    private func end(_ attempt: Int, _ result: Result<[GRPCAddress.Endpoint], HostLookup.Failure>) {
        var failure: String?
        switch result {
        case .success(let endpoints):
            guard state.withLock({ $0.attempt == attempt }) else { return }
            let isSet = (try? target.set(ChannelTarget.list(endpoints), on: handle)) ?? false
            if !isSet { failure = "libgrpc does not take its hosts" }
        case .failure(let error): failure = error.cause
        }
        var message: String?
        move { state in
            guard case .resolving = state.phase, state.attempt == attempt else { return }
            if let failure {
                let text = "cannot connect to \(target.address): \(failure)"
                message = text
                state.phase = .failed(text, retryAt: .now + state.backoff)
                state.backoff = min(state.backoff * 2, target.configuration.maximumReconnectBackoff.within())
            } else {
                state.phase = .resolved
            }
        }
        if let message { failWaiting(message) }
    }

    private func failWaiting(_ message: String) {
        guard spg_channel_fail_waiting(handle, CInt(GRPCStatus.Code.unavailable.rawValue), message) else { return }
        // Calls that asked to wait for a connection.
        let pause = state.withLock { Double($0.backoff.positiveMilliseconds) / 1_000 }
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [weak self] in self?.resolve() }
    }

    private func move(_ body: (inout State) -> Void) {
        let observers = state.withLock { state in
            body(&state)
            defer { state.observers = [] }
            return state.observers
        }
        for observer in observers { observer() }
    }
}

/// Names to IP addresses, with what the system is set up to ask.
enum HostLookup {
    struct Failure: Error {
        let cause: String
    }

    /// Blocks. Names that are not found are left out as long as there are others.
    static func endpoints(of address: GRPCAddress) -> Result<[GRPCAddress.Endpoint], Failure> {
        var found: [GRPCAddress.Endpoint] = []
        var cause = ""
        for endpoint in address.endpoints {
            do throws(Failure) {
                for host in try addresses(of: endpoint.host) {
                    let new = GRPCAddress.Endpoint(host: host, port: endpoint.port)
                    if !found.contains(new) { found.append(new) }
                }
            } catch {
                cause = error.cause
            }
        }
        return found.isEmpty ? .failure(Failure(cause: cause)) : .success(found)
    }

    private static func addresses(of host: String) throws(Failure) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(host, nil, &hints, &list)
        guard error == 0 else {
            throw Failure(cause: "cannot find host '\(host)': \(String(cString: gai_strerror(error)))")
        }
        defer { freeaddrinfo(list) }
        var ipv4: [String] = []
        var ipv6: [String] = []
        var next = list
        while let info = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                let address = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
                if info.ai_family == AF_INET {
                    ipv4.append(address)
                } else if GRPCAddress.isIPv6(address) {
                    ipv6.append(address)
                }
            }
            next = info.ai_next
        }
        // One family per name: a host that has both would otherwise get two turns.
        return ipv4.isEmpty ? ipv6 : ipv4
    }
}
