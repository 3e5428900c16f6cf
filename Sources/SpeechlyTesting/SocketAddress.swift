import Foundation
import SpeechlyGRPC

/// Why a mock server could not be started.
public enum MockServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address cannot be listened at by a mock server.
    case unusableAddress(String)
    /// A system call failed, with its `errno`.
    case system(String, Int32)

    /// What failed and why.
    public var description: String {
        switch self {
        case .unusableAddress(let address):
            "a mock server cannot listen at \(address): give grpc://127.0.0.1:0, another numeric host, or a Unix socket"
        case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
        }
    }
}

func makeNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// A socket address of the system: TCP over a numeric host, or a Unix socket.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t
    private let family: Int32

    init(_ address: GRPCAddress) throws(MockServerError) {
        guard !address.secure, address.endpoints.count <= 1 else {
            throw .unusableAddress(address.description)
        }
        if let path = address.unixPath {
            family = AF_UNIX
            length = socklen_t(MemoryLayout<sockaddr_un>.size)
            Self.fill(&storage, as: sockaddr_un.self) { unix in
                unix.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: path.utf8) }
            }
            return
        }
        let port = in_port_t(address.port).bigEndian
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, address.host, &v4) == 1 {
            family = AF_INET
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            Self.fill(&storage, as: sockaddr_in.self) {
                $0.sin_family = sa_family_t(AF_INET)
                $0.sin_port = port
                $0.sin_addr = v4
            }
        } else if inet_pton(AF_INET6, address.host, &v6) == 1 {
            family = AF_INET6
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            Self.fill(&storage, as: sockaddr_in6.self) {
                $0.sin6_family = sa_family_t(AF_INET6)
                $0.sin6_port = port
                $0.sin6_addr = v6
            }
        } else {
            throw .unusableAddress(address.description)
        }
    }

    private static func fill<Address>(
        _ storage: inout sockaddr_storage, as type: Address.Type, _ body: (inout Address) -> Void
    ) {
        withUnsafeMutablePointer(to: &storage) { pointer in
            // sockaddr_storage is large enough and aligned for every kind of address.
            pointer.withMemoryRebound(to: Address.self, capacity: 1) { body(&$0.pointee) }
        }
    }

    /// A listening socket.
    struct Listener {
        let descriptor: Int32

        /// The address with the port that the system gave.
        func boundAddress(like address: GRPCAddress) throws(MockServerError) -> GRPCAddress {
            guard address.unixPath == nil else { return address }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let result = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard result == 0 else { throw .system("getsockname", errno) }
            // The port is at the same place in both families' addresses.
            let port = withUnsafeBytes(of: &storage) { $0.loadUnaligned(fromByteOffset: 2, as: in_port_t.self) }
            return GRPCAddress(host: address.host, port: Int(in_port_t(bigEndian: port)), secure: false)
        }
    }

    func listen() throws(MockServerError) -> Listener {
        let descriptor = try makeSocket()
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard call(bind, descriptor) == 0 else { throw failure("bind", descriptor) }
        guard Foundation.listen(descriptor, 1024) == 0 else { throw failure("listen", descriptor) }
        return Listener(descriptor: descriptor)
    }

    func connect() throws(MockServerError) -> Int32 {
        let descriptor = try makeSocket()
        guard call(Foundation.connect, descriptor) == 0 else { throw failure("connect", descriptor) }
        return descriptor
    }

    private func makeSocket() throws(MockServerError) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private func failure(_ name: String, _ descriptor: Int32) -> MockServerError {
        let number = errno
        close(descriptor)
        return .system(name, number)
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32
    ) -> Int32 {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(descriptor, $0, length) }
        }
    }
}
