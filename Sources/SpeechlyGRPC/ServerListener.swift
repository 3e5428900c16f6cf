import CgRPCShim
import Foundation

/// Makes a server's C object and binds it.
enum ServerListener {
    static func listen(
        _ address: GRPCAddress, _ configuration: Server.Configuration, _ core: ServerCore
    ) throws -> (OpaquePointer, GRPCAddress) {
        guard address.secure == (configuration.tls != nil) else {
            throw GRPCStatus(
                code: .invalidArgument,
                message: address.secure
                    ? "\(address): TLS needs a certificate, set the configuration's tls"
                    : "\(address): there is a certificate, but the address is not one with TLS (grpc+tls://)")
        }
        if let path = address.unixPath { try refuseLiveSocket(path, address) }
        let context = Unmanaged.passRetained(core)
        let arguments = configuration.arguments
        let handle = withUnsafePointer(to: ServerCore.callbacks) {
            spg_server_create(arguments.handle, max(1, configuration.maximumBytesInFlight), $0, context.toOpaque())
        }
        guard let handle else {
            context.release()
            throw GRPCStatus(code: .internal, message: "\(address): libgrpc makes no server")
        }
        do {
            return (handle, try bind(handle, address, configuration))
        } catch {
            spg_server_release(handle)
            throw error
        }
    }

    private static func bind(
        _ handle: OpaquePointer, _ address: GRPCAddress, _ configuration: Server.Configuration
    ) throws -> GRPCAddress {
        if let path = address.unixPath {
            guard spg_server_listen(handle, "unix:" + path.percentEncodedForTarget, nil) != 0 else {
                throw failure(address, BindProbe.unix(path))
            }
            return address
        }
        var bound: [GRPCAddress.Endpoint] = []
        for endpoint in address.endpoints {
            let port =
                try configuration.tls.map { try $0.withShim { spg_server_listen(handle, endpoint.description, $0) } }
                ?? spg_server_listen(handle, endpoint.description, nil)
            guard port > 0 else { throw failure(address, BindProbe.tcp(endpoint, tls: address.secure)) }
            bound.append(.init(host: endpoint.host, port: Int(port)))
        }
        return GRPCAddress(endpoints: bound, secure: address.secure)
    }

    private static func failure(_ address: GRPCAddress, _ cause: String) -> GRPCStatus {
        GRPCStatus(code: .unavailable, message: "cannot listen on \(address): \(cause)")
    }

    /// libgrpc would take the path away from a server that is using it.
    private static func refuseLiveSocket(_ path: String, _ address: GRPCAddress) throws {
        if let reason = BindProbe.obstacle(at: path) { throw failure(address, reason) }
    }
}

/// Finds out why libgrpc could not bind: it says so only in its log.
enum BindProbe {
    static func unix(_ path: String) -> String {
        withUnixAddress(path) { descriptor, address, length in
            guard Glibc.bind(descriptor, address, length) != 0 else {
                unlink(path)
                return "libgrpc refuses it"
            }
            return String(cString: strerror(errno))
        } ?? "no socket can be made"
    }

    /// Why a path must be left alone: another server may be listening there. `nil` where there is nothing, or a socket
    /// that a process has left behind.
    static func obstacle(at path: String) -> String? {
        withUnixAddress(path) { descriptor, address, length in
            let error = connect(descriptor, address, length) == 0 ? EADDRINUSE : errno
            switch error {
            // What is no socket is refused by `bind`, in its own words.
            case ENOENT, ENOTDIR, ECONNREFUSED: return nil
            // A server whose clients queue up.
            case EAGAIN, EINPROGRESS: return String(cString: strerror(EADDRINUSE))
            default: return String(cString: strerror(error))
            }
        } ?? nil
    }

    static func tcp(_ endpoint: GRPCAddress.Endpoint, tls: Bool) -> String {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let error = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        guard error == 0 else { return String(cString: gai_strerror(error)) }
        defer { freeaddrinfo(list) }
        var next = list
        while let info = next?.pointee {
            let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
            defer { if descriptor >= 0 { close(descriptor) } }
            if descriptor < 0 || Glibc.bind(descriptor, info.ai_addr, info.ai_addrlen) != 0 {
                return String(cString: strerror(errno))
            }
            next = info.ai_next
        }
        return tls ? "libgrpc refuses the certificate or its key" : "libgrpc refuses it"
    }

    private static func withUnixAddress<Result>(
        _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
