import SpeechlyGRPC
import TestSupport
import XCTest

final class TLSTests: XCTestCase {
    private func startServer(
        _ pair: Certificates.Pair, clientRoots: [UInt8]? = nil
    ) throws -> (Server, GRPCAddress) {
        try startEchoServer(
            GRPCAddress(host: "localhost", port: 0, secure: true),
            .init(
                tls: ServerTLS(
                    certificateChainPEM: pair.certificate, privateKeyPEM: pair.key, clientRootsPEM: clientRoots))
        )
    }

    private func call(_ address: GRPCAddress, _ tls: ClientTLS) async throws -> [UInt8] {
        try await Channel(address: address, configuration: .init(tls: tls)).unary(
            path: Method.echo, request: [1, 2], options: CallOptions(timeout: .seconds(30))
        ).message
    }

    private func assertRefused(
        _ address: GRPCAddress, _ tls: ClientTLS, _ what: String, hint: String = "", line: UInt = #line
    ) async {
        let status = await status(line: line) { try await call(address, tls) }
        XCTAssertEqual(status?.code, .unavailable, what, line: line)
        XCTAssertEqual(
            status?.message?.hasPrefix("cannot connect to \(address): "), true, status?.message ?? "", line: line)
        XCTAssertEqual(status?.message?.hasSuffix(hint), true, status?.message ?? "", line: line)
    }

    func testGivenRoots() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startServer(certificates.server)
        XCTAssertTrue(address.secure)
        let answer = try await call(address, ClientTLS(rootsPEM: certificates.authority))
        XCTAssertEqual(answer, [1, 2])
        let literal = GRPCAddress(host: "127.0.0.1", port: address.port, secure: true)
        let answerByIP = try await call(literal, ClientTLS(rootsPEM: certificates.authority))
        XCTAssertEqual(answerByIP, [1, 2])
        server.kill()
    }

    func testChainIsVerified() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startServer(certificates.server)
        await assertRefused(address, ClientTLS(), "not signed by one of the system's roots")
        await assertRefused(address, ClientTLS(rootsPEM: certificates.selfSigned.certificate), "another root")
        server.kill()
        for (pair, what) in [(certificates.expired, "expired"), (certificates.selfSigned, "self-signed")] {
            let (server, address) = try startServer(pair)
            await assertRefused(address, ClientTLS(rootsPEM: certificates.authority), what)
            server.kill()
        }
    }

    func testHostNameIsVerified() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startServer(certificates.wrongName)
        await assertRefused(address, ClientTLS(rootsPEM: certificates.authority), "another host's certificate")
        let named = ClientTLS(rootsPEM: certificates.authority, serverName: "example.org")
        let answer = try await call(address, named)
        XCTAssertEqual(answer, [1, 2])
        server.kill()
    }

    func testClientCertificate() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startServer(certificates.server, clientRoots: certificates.authority)
        func tls(_ pair: Certificates.Pair?) -> ClientTLS {
            ClientTLS(
                rootsPEM: certificates.authority, certificateChainPEM: pair?.certificate, privateKeyPEM: pair?.key)
        }
        let answer = try await call(address, tls(certificates.client))
        XCTAssertEqual(answer, [1, 2])
        // With TLS 1.3 the refusal comes after the client's side of the handshake.
        for pair in [nil, certificates.otherClient] {
            let status = await status { try await call(address, tls(pair)) }
            XCTAssertEqual(status?.code, .unavailable)
        }
        server.kill()
    }

    func testSeveralHostsPresentTheFirstName() async throws {
        let certificates = try Certificates.shared.get()
        let (first, firstAddress) = try startServer(certificates.server)
        let (second, secondAddress) = try startServer(certificates.server)
        let address = try GRPCAddress(
            addr: "grpc+tls://localhost:\(firstAddress.port),127.0.0.1:\(secondAddress.port)")
        for _ in 0..<4 {
            let answer = try await call(address, ClientTLS(rootsPEM: certificates.authority))
            XCTAssertEqual(answer, [1, 2])
        }
        let swapped = try GRPCAddress(
            addr: "grpc+tls://wrong.localhost:1,localhost:\(firstAddress.port)")
        await assertRefused(swapped, ClientTLS(rootsPEM: certificates.authority), "not the first name's certificate")
        first.kill()
        second.kill()
    }

    func testPlaintextClientAtATLSPort() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startServer(certificates.server)
        let plain = GRPCAddress(host: "localhost", port: address.port, secure: false)
        await assertRefused(
            plain, ClientTLS(), "plaintext to TLS", hint: "(the service may want TLS: write grpc+tls://)")
        server.kill()
    }

    func testTLSClientAtAPlaintextPort() async throws {
        let certificates = try Certificates.shared.get()
        let (server, address) = try startEchoServer()
        let secure = GRPCAddress(host: "127.0.0.1", port: address.port, secure: true)
        await assertRefused(
            secure, ClientTLS(rootsPEM: certificates.authority), "TLS to plaintext",
            hint: "(the service does not seem to use TLS: write grpc:// for plain text)")
        server.kill()
    }

    func testSettingsThatContradict() async throws {
        let certificates = try Certificates.shared.get()
        let secure = GRPCAddress(host: "localhost", port: 0, secure: true)
        let tls = ServerTLS(
            certificateChainPEM: certificates.server.certificate, privateKeyPEM: certificates.server.key)
        var noKey = tls
        noKey.privateKeyPEM = Array("nonsense".utf8)
        var otherKey = tls
        otherKey.privateKeyPEM = certificates.client.key
        let servers: [(GRPCAddress, ServerTLS?, String)] = [
            (secure, nil, "certificate"), (.anyPort, tls, "grpc+tls"), (secure, noKey, "privateKeyPEM"),
            (secure, otherKey, "libgrpc refuses the certificate or its key"),
        ]
        for (address, tls, text) in servers {
            let status = await status { try Server(address: address, configuration: .init(tls: tls)).start() }
            XCTAssertEqual(status?.message?.contains(text), true, status?.message ?? "")
        }
        let clients: [(ClientTLS, String)] = [
            (ClientTLS(rootsPEM: [1, 2, 3]), "rootsPEM"),
            (ClientTLS(certificateChainPEM: certificates.client.certificate), "privateKeyPEM"),
        ]
        for (tls, text) in clients {
            let status = await status { try Channel(address: secure, configuration: .init(tls: tls)) }
            XCTAssertEqual(status?.code, .invalidArgument)
            XCTAssertEqual(status?.message?.contains(text), true, status?.message ?? "")
        }
    }
}
