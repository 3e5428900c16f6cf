import Foundation
import SpeechlySync

/// Answers `GET /metrics` over HTTP on a port of loopback, for Prometheus.
///
/// One connection at a time, each for at most two seconds: whatever a peer sends or fails to read, the next
/// one gets its turn. Ends with ``stop()`` or with the last reference.
public final class MetricsEndpoint: Sendable {
    /// The port it listens on.
    public let port: Int

    private static let maximumRequestBytes = 8_192
    private static let patience = Duration.seconds(2)

    private let isStopped = Locked(false)
    private let stopPipe: Int32

    /// Starts to listen on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: the port; 0 takes a free one.
    ///   - text: gives what is answered, on the endpoint's own thread.
    /// - Throws: ``MetricsEndpointError`` if it cannot listen there.
    public init(port: Int, text: @escaping @Sendable () -> String) throws(MetricsEndpointError) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw MetricsEndpointError(port: port) }
        var pipe: [Int32] = [-1, -1]
        var (yes, address, length) = (Int32(1), sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound, Glibc.pipe(&pipe) == 0 else {
            let error = MetricsEndpointError(port: port)
            close(listener)
            throw error
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        // Where a program starts others, they do not get these.
        for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        stopPipe = pipe[1]
        let stopped = pipe[0]
        let thread = Thread {
            while HTTPExchange.waitForReading(listener, or: stopped) {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else {
                    // Out of descriptors, most likely: it stays readable, so this must not spin.
                    if errno == EMFILE || errno == ENFILE || errno == ENOMEM { usleep(100_000) }
                    continue
                }
                _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
                _ = fcntl(peer, F_SETFL, O_NONBLOCK)
                HTTPExchange(peer, deadline: .now + Self.patience, limit: Self.maximumRequestBytes).answer(text)
                close(peer)
            }
            close(listener)
            close(stopped)
        }
        thread.name = "speechly-metrics"
        thread.start()
    }

    deinit { stop() }

    /// Stops to listen. Does not wait.
    public func stop() {
        let wasStopped = isStopped.withLock { stopped in
            defer { stopped = true }
            return stopped
        }
        if !wasStopped { close(stopPipe) }
    }
}

/// Why metrics cannot be served.
public struct MetricsEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The port that was asked for.
    public let port: Int
    /// What the system said.
    public let reason: String

    init(port: Int) {
        self.port = port
        reason = String(cString: strerror(errno))
    }

    /// The port and the reason.
    public var description: String { "cannot serve metrics on 127.0.0.1:\(port): \(reason)" }
}
