import Dispatch
import Foundation
import SpeechlySync

/// Finds out whether the port of an address accepts connections at all, for an error that says what is wrong.
enum PortProbe {
    /// - Returns: whether a TCP connection could be made within half a second.
    static func accepts(_ address: GRPCAddress) async -> Bool {
        guard address.unixPath == nil else { return true }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: address.endpoints.contains { connects($0.host, $0.port) })
            }
        }
    }

    private static func connects(_ host: String, _ port: Int) -> Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let info = list?.pointee else { return false }
        defer { freeaddrinfo(list) }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(info.ai_family, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 500) == 1 else { return false }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0
    }
}

extension Channel {
    /// Why nothing came back for so long.
    func silence(of timeout: Duration) async -> String {
        // A connection takes its socket and what wakes whoever waits for it.
        if let shortage = DescriptorReserve.shortage(of: 2) { return "cannot connect to \(address): \(shortage)" }
        if connectivityState() == .ready { return "\(address) is connected, and did not answer within \(timeout)" }
        return await PortProbe.accepts(address)
            ? "cannot connect to \(address): the port accepted the connection, and nothing answered within \(timeout)"
            : "cannot connect to \(address): no answer within \(timeout)"
    }
}
