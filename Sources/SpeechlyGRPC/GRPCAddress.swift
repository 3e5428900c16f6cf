import Foundation
import SpeechlySync

/// Where a gRPC service is: one or several hosts over TCP, with or without TLS, or a Unix socket.
///
/// Written as a URL:
/// - `grpc://host[:port]`, plaintext, port 80 unless given
/// - `grpc+tls://host[:port]`, TLS, port 443 unless given
/// - `grpc+unix:///absolute/path`, plaintext over a Unix socket
///
/// Several hosts are separated by commas, `grpc://one:4000,two:4000`; calls are spread over them in
/// turn. With TLS every one of them must present a certificate for the first name. IPv6 addresses
/// stand in brackets. ``description`` writes the address back.
public struct GRPCAddress: Hashable, Sendable, CustomStringConvertible {
    /// One TCP host and port.
    public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        /// A host name, or an IP address without brackets.
        public let host: String

        /// The TCP port, 0–65535. A server that is started on port 0 gets a free one.
        public let port: Int

        /// An endpoint from its parts.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// `host:port`, an IPv6 address in brackets.
        public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    private enum Location: Hashable {
        case tcp([Endpoint])
        case unix(String)
    }

    private let location: Location

    /// The longest path that a Unix socket can have, in bytes.
    public static let maximumUnixPathLength = 107

    /// The first host, or `localhost` for a Unix socket.
    public let host: String

    /// The port of the first host, or 0 for a Unix socket.
    public let port: Int

    /// Whether connections are made with TLS.
    public let secure: Bool

    /// The socket's path, if this is a Unix socket.
    public var unixPath: String? {
        guard case .unix(let path) = location else { return nil }
        return path
    }

    /// All hosts in the order given; empty for a Unix socket.
    public var endpoints: [Endpoint] {
        guard case .tcp(let endpoints) = location else { return [] }
        return endpoints
    }

    /// The address of one TCP host.
    ///
    /// - Parameters:
    ///   - host: A host name or an IP address; an IPv6 address may stand in brackets.
    ///   - port: The TCP port, 0–65535.
    ///   - secure: Whether to use TLS.
    public init(host: String, port: Int, secure: Bool) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.init(location: .tcp([Endpoint(host: bare, port: port)]), host: bare, port: port, secure: secure)
    }

    /// The address of a Unix socket.
    ///
    /// - Parameter unixPath: An absolute path of at most 107 bytes.
    /// - Throws: ``ParseError/missingPath``, ``ParseError/invalidPath(path:reason:)`` or
    ///   ``ParseError/pathTooLong(path:bytes:)``.
    public init(unixPath: String) throws {
        guard unixPath.hasPrefix("/"), unixPath.utf8.count > 1 else { throw ParseError.missingPath }
        if let problem = unixPath.pathProblem { throw ParseError.invalidPath(path: unixPath, reason: problem) }
        guard unixPath.utf8.count <= Self.maximumUnixPathLength else {
            throw ParseError.pathTooLong(path: unixPath, bytes: unixPath.utf8.count)
        }
        self.init(location: .unix(unixPath), host: "localhost", port: 0, secure: false)
    }

    /// Reads an address from a URL.
    ///
    /// - Parameter addr: The URL, as described at ``GRPCAddress``.
    /// - Throws: ``ParseError``.
    public init(addr: String) throws {
        guard let separator = addr.range(of: ":") else { throw ParseError.unsupportedURL }
        let scheme = addr[..<separator.lowerBound].lowercased()
        let rest = addr[separator.upperBound...]
        switch scheme {
        case "grpc", "grpc+tls":
            let secure = scheme == "grpc+tls"
            let endpoints = try Self.parseEndpoints(rest, defaultPort: secure ? 443 : 80)
            self.init(
                location: .tcp(endpoints), host: endpoints[0].host, port: endpoints[0].port, secure: secure)
        case "grpc+unix":
            guard rest.hasPrefix("///") else { throw ParseError.missingPath }
            try self.init(unixPath: String(rest.dropFirst(2)))
        default:
            throw ParseError.unsupportedScheme
        }
    }

    init(endpoints: [Endpoint], secure: Bool) {
        self.init(
            location: .tcp(endpoints), host: endpoints.first?.host ?? "", port: endpoints.first?.port ?? 0,
            secure: secure)
    }

    private init(location: Location, host: String, port: Int, secure: Bool) {
        self.location = location
        self.host = host
        self.port = port
        self.secure = secure
    }

    /// The address as a URL that ``init(addr:)`` reads back; the port is always written.
    public var description: String {
        switch location {
        case .unix(let path): "grpc+unix://\(path)"
        case .tcp(let endpoints):
            (secure ? "grpc+tls://" : "grpc://") + endpoints.map(\.description).joined(separator: ",")
        }
    }
}
