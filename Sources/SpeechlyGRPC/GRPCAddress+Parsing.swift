import Foundation
import SpeechlySync

extension GRPCAddress {
    /// Why a text is not an address.
    public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The scheme is none of `grpc`, `grpc+tls` and `grpc+unix`.
        case unsupportedScheme
        /// The text is not a URL, or has parts that an address does not have: user, path, query.
        case unsupportedURL
        /// There is no host where one is needed.
        case missingHost
        /// The host is neither a name nor an IP address.
        case invalidHost(String)
        /// The port is not a number from 0 to 65535.
        case invalidPort(String)
        /// A Unix socket's address has no absolute path.
        case missingPath
        /// A Unix socket's path is none that the system takes: it has a NUL in it.
        case invalidPath(path: String, reason: String)
        /// A Unix socket's path is longer than the system allows.
        case pathTooLong(path: String, bytes: Int)

        /// What is wrong and what would be right.
        public var description: String {
            switch self {
            case .unsupportedScheme:
                "unsupported address scheme: write grpc://host:port, grpc+tls://host:port or grpc+unix:///path"
            case .unsupportedURL:
                "not an address: write grpc://host:port, grpc+tls://host:port or grpc+unix:///path"
            case .missingHost:
                "the address has no host: write grpc://host:port or grpc+tls://host:port"
            case .invalidHost(let host):
                "'\(host)' is not a host name or an IP address (an IPv6 address stands in brackets)"
            case .invalidPort(let port):
                "'\(port)' is not a port: a number from 0 to 65535 is needed"
            case .missingPath:
                "the address of a Unix socket needs an absolute path: write grpc+unix:///path"
            case .invalidPath(let path, let reason):
                "the socket path '\(path.shownPath)' cannot be used: \(reason)"
            case .pathTooLong(let path, let bytes):
                "the socket path '\(path)' has \(bytes) bytes, at most \(GRPCAddress.maximumUnixPathLength) are possible"
            }
        }

        /// The same as ``description``.
        public var errorDescription: String? { description }
    }

    static func parseEndpoints(_ rest: Substring, defaultPort: Int) throws -> [Endpoint] {
        guard rest.hasPrefix("//") else { throw ParseError.unsupportedURL }
        var authority = rest.dropFirst(2)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.contains(where: { "/?#@ \t\r\n".contains($0) }) else { throw ParseError.unsupportedURL }
        return try authority.split(separator: ",", omittingEmptySubsequences: false).map {
            try parseEndpoint($0, defaultPort: defaultPort)
        }
    }

    private static func parseEndpoint(_ text: Substring, defaultPort: Int) throws -> Endpoint {
        let host: Substring
        var afterHost: Substring
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { throw ParseError.invalidHost(String(text)) }
            host = text[text.index(after: text.startIndex)..<bracket]
            afterHost = text[text.index(after: bracket)...]
            guard isIPv6(String(host)) else { throw ParseError.invalidHost(String(host)) }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<colon]
            afterHost = text[colon...]
            guard !afterHost.dropFirst().contains(":") else { throw ParseError.invalidHost(String(text)) }
            guard !host.isEmpty else { throw ParseError.missingHost }
            guard host.utf8.allSatisfy(isHostCharacter) else { throw ParseError.invalidHost(String(host)) }
        }
        guard !afterHost.isEmpty else { return Endpoint(host: String(host), port: defaultPort) }
        guard afterHost.removeFirst() == ":" else { throw ParseError.invalidHost(String(text)) }
        guard !afterHost.isEmpty, afterHost.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let port = UInt16(afterHost)
        else { throw ParseError.invalidPort(String(afterHost)) }
        return Endpoint(host: String(host), port: Int(port))
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    static func isIPv6(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, host, &address) == 1
    }

    static func isIPv4(_ host: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1
    }
}
