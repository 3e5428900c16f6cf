import CgRPCShim

extension ClientTLS {
    func withShim<Result>(_ body: (UnsafePointer<spg_tls>) -> Result) throws -> Result {
        if let rootsPEM { try checkPEM(rootsPEM, "rootsPEM", "CERTIFICATE-----") }
        if let certificateChainPEM { try checkPEM(certificateChainPEM, "certificateChainPEM", "CERTIFICATE-----") }
        if let privateKeyPEM { try checkPEM(privateKeyPEM, "privateKeyPEM", "PRIVATE KEY-----") }
        guard (certificateChainPEM == nil) == (privateKeyPEM == nil) else {
            throw GRPCStatus(
                code: .invalidArgument, message: "a client certificate needs both certificateChainPEM and privateKeyPEM"
            )
        }
        return withTLS(roots: rootsPEM, chain: certificateChainPEM, key: privateKeyPEM, body)
    }
}

extension ServerTLS {
    func withShim<Result>(_ body: (UnsafePointer<spg_tls>) -> Result) throws -> Result {
        try checkPEM(certificateChainPEM, "certificateChainPEM", "CERTIFICATE-----")
        try checkPEM(privateKeyPEM, "privateKeyPEM", "PRIVATE KEY-----")
        if let clientRootsPEM { try checkPEM(clientRootsPEM, "clientRootsPEM", "CERTIFICATE-----") }
        return withTLS(roots: clientRootsPEM, chain: certificateChainPEM, key: privateKeyPEM, body)
    }
}

private func checkPEM(_ bytes: [UInt8], _ name: String, _ marker: String) throws {
    guard !bytes.contains(0), String(decoding: bytes, as: UTF8.self).contains(marker) else {
        throw GRPCStatus(code: .invalidArgument, message: "\(name) holds no PEM text with 'BEGIN … \(marker)'")
    }
}

private func withTLS<Result>(
    roots: [UInt8]?, chain: [UInt8]?, key: [UInt8]?, _ body: (UnsafePointer<spg_tls>) -> Result
) -> Result {
    withCText(roots) { roots in
        withCText(chain) { chain in
            withCText(key) { key in
                var shim = spg_tls(roots: roots, certificate_chain: chain, private_key: key)
                return body(&shim)
            }
        }
    }
}

private func withCText<Result>(_ bytes: [UInt8]?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let bytes else { return body(nil) }
    return (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { body($0.baseAddress) }
}
