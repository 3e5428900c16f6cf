/// How a client proves who the server is, and who it is itself.
///
/// The server's certificate chain and its host name are always verified.
public struct ClientTLS: Sendable, Hashable {
    /// The certificates to trust, PEM; `nil` for those of the system.
    public var rootsPEM: [UInt8]?

    /// The client's certificate, followed by those that signed it, PEM; `nil` for none.
    public var certificateChainPEM: [UInt8]?

    /// The private key of the client's certificate, PEM.
    public var privateKeyPEM: [UInt8]?

    /// The name that the server's certificate has to bear, if it is not the address's host.
    public var serverName: String?

    /// TLS from its parts; without arguments the system's roots and no client certificate.
    public init(
        rootsPEM: [UInt8]? = nil, certificateChainPEM: [UInt8]? = nil, privateKeyPEM: [UInt8]? = nil,
        serverName: String? = nil
    ) {
        self.rootsPEM = rootsPEM
        self.certificateChainPEM = certificateChainPEM
        self.privateKeyPEM = privateKeyPEM
        self.serverName = serverName
    }
}

/// How a server proves who it is, and whose clients it takes.
public struct ServerTLS: Sendable, Hashable {
    /// The server's certificate, followed by those that signed it, PEM.
    public var certificateChainPEM: [UInt8]

    /// The private key of the certificate, PEM.
    public var privateKeyPEM: [UInt8]

    /// The certificates that must have signed a client's, PEM; `nil` if clients need none.
    public var clientRootsPEM: [UInt8]?

    /// TLS from its parts.
    public init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8], clientRootsPEM: [UInt8]? = nil) {
        self.certificateChainPEM = certificateChainPEM
        self.privateKeyPEM = privateKeyPEM
        self.clientRootsPEM = clientRootsPEM
    }
}
