import Foundation
import Speechly
import TestSupport
import XCTest

/// `speechly serve` and the commands that use a service, over TLS.
final class ServeTLSTests: XCTestCase {
    private static let app = "11111111-1111-4111-8111-111111111111"
    private let repos = TestCases.url("speech/repos.sal").path
    private let speech = TestCases.url("speech/order-by-stars.slt.wav").path

    /// A service, and the files that its clients need.
    private struct Place {
        let home: TemporaryHome
        let tool: RunningTool
        let address: String
        let roots: String
        let otherRoots: String

        func stop() throws {
            tool.signal(SIGTERM)
            XCTAssertEqual(try tool.finish().status, 0)
        }
    }

    private func write(_ pem: [UInt8], _ name: String, _ home: TemporaryHome) throws -> String {
        try home.write(String(decoding: pem, as: UTF8.self), to: name)
    }

    private func serve(_ listen: String, wantsClients: Bool = false) throws -> Place {
        let certificates = try Certificates.shared.get()
        let home = try TemporaryHome()
        var arguments = ["serve", repos, "--listen", listen]
        if listen.hasPrefix("grpc+tls") {
            arguments += ["--tls-cert", try write(certificates.server.certificate, "server.pem", home)]
            arguments += ["--tls-key", try write(certificates.server.key, "server.key", home)]
        }
        let roots = try write(certificates.authority, "ca.pem", home)
        if wantsClients { arguments += ["--tls-client-ca", roots] }
        let tool = try RunningTool(arguments, home: home.url)
        let line = try XCTUnwrap(tool.readLine())
        return Place(
            home: home, tool: tool, address: String(line.dropFirst("listening on ".count)), roots: roots,
            otherRoots: try write(certificates.selfSigned.certificate, "other.pem", home))
    }

    private func client(_ address: String, _ options: [String]) -> [[String]] {
        let common = ["--slu-addr", address, "--app-id", Self.app] + options
        return [
            ["transcribe", speech, "--reconnects", "0"] + common, ["understand", "order by stars"] + common,
            ["login"] + common,
        ]
    }

    /// Each command ends by itself, well before its time limit, with one line that says what is wrong.
    private func assertRefused(
        _ address: String, _ options: [String], _ expected: String, line: UInt = #line
    ) throws {
        for arguments in client(address, options + ["--connect-timeout", "60"]) {
            let start = ContinuousClock.now
            let outcome = try RunningTool.run(arguments)
            XCTAssertLessThan(ContinuousClock.now - start, .seconds(30), "\(arguments)", line: line)
            XCTAssertEqual(outcome.status, 1, "\(arguments)", line: line)
            XCTAssertEqual(outcome.output, "", line: line)
            XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error, line: line)
            XCTAssertTrue(outcome.error.contains("cannot connect to \(address)"), outcome.error, line: line)
            XCTAssertTrue(outcome.error.contains(expected), outcome.error, line: line)
        }
    }

    func testEveryCommandWorksOverTLS() throws {
        let place = try serve("grpc+tls://localhost:0")
        XCTAssertTrue(place.address.hasPrefix("grpc+tls://localhost:"), place.address)
        let outcomes = try client(place.address, ["--tls-roots", place.roots]).map { try RunningTool.run($0) }
        XCTAssertEqual(outcomes.map(\.status), [0, 0, 0], "\(outcomes)")
        XCTAssertEqual(outcomes[0].output, "sort: order by [stars](sort_field)\n")
        XCTAssertEqual(outcomes[1].output, "sort: order by [stars](sort_field)\n")
        XCTAssertTrue(outcomes[2].output.contains(Self.app), outcomes[2].output)
        try place.stop()
    }

    func testWhatDoesNotFitIsOneErrorAtOnce() throws {
        let secure = try serve("grpc+tls://localhost:0")
        // By other roots, by those of the system, and as another host.
        try assertRefused(secure.address, ["--tls-roots", secure.otherRoots], "certificate")
        try assertRefused(secure.address, [], "certificate")
        let plain = secure.address.replacingOccurrences(of: "grpc+tls", with: "grpc")
        try assertRefused(plain, [], "the service may want TLS: write grpc+tls://")
        try secure.stop()
        let open = try serve("grpc://127.0.0.1:0")
        let address = open.address.replacingOccurrences(of: "grpc", with: "grpc+tls")
        try assertRefused(address, ["--tls-roots", open.roots], "does not seem to use TLS: write grpc://")
        try open.stop()
    }

    func testOnlyClientsWithACertificateAreTakenWhereOneIsAskedFor() throws {
        let certificates = try Certificates.shared.get()
        let place = try serve("grpc+tls://localhost:0", wantsClients: true)
        let roots = ["--tls-roots", place.roots]
        func shown(_ pair: Certificates.Pair, _ name: String) throws -> [String] {
            [
                "--tls-cert", try write(pair.certificate, "\(name).pem", place.home),
                "--tls-key", try write(pair.key, "\(name).key", place.home),
            ]
        }
        let known = try shown(certificates.client, "client")
        for arguments in client(place.address, roots + known) {
            let outcome = try RunningTool.run(arguments)
            XCTAssertEqual(outcome.status, 0, outcome.error)
        }
        try assertRefused(place.address, roots, "certificate")
        try assertRefused(place.address, roots + shown(certificates.otherClient, "other"), "certificate")
        // Half of a pair, and a file that is none.
        for (options, expected) in [
            (Array(known.prefix(2)), "--tls-key: needed with --tls-cert"),
            (Array(known.suffix(2)), "--tls-cert: needed with --tls-key"),
            (["--tls-cert", known[3], "--tls-key", known[3]], "--tls-cert: '\(known[3])' has no certificate in PEM"),
            (["--tls-cert", known[1], "--tls-key", known[1]], "--tls-key: '\(known[1])' has no private key in PEM"),
        ] {
            let outcome = try RunningTool.run(["login", "--slu-addr", place.address, "--app-id", Self.app] + options)
            XCTAssertEqual(outcome.status, 2)
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
        }
        try place.stop()
    }

    func testOtherMachinesAreServedOverTLSOrWhenAskedTo() throws {
        for address in ["grpc://0.0.0.0:0", "grpc://[::]:0", "grpc://192.0.2.1:1"] {
            let refused = try RunningTool.run(["serve", repos, "--listen", address])
            XCTAssertEqual(refused.status, 2, address)
            XCTAssertTrue(refused.error.contains("--allow-plaintext"), refused.error)
        }
        let home = try TemporaryHome()
        let open = try RunningTool(
            ["serve", repos, "--listen", "grpc://0.0.0.0:0", "--allow-plaintext"], home: home.url)
        XCTAssertTrue(try XCTUnwrap(open.readLine()).hasPrefix("listening on grpc://0.0.0.0:"))
        open.signal(SIGTERM)
        XCTAssertEqual(try open.finish().status, 0)
        let secure = try serve("grpc+tls://0.0.0.0:0")
        let port = try XCTUnwrap(secure.address.split(separator: ":").last)
        let login = try RunningTool.run([
            "login", "--slu-addr", "grpc+tls://localhost:\(port)", "--app-id", Self.app, "--tls-roots", secure.roots,
        ])
        XCTAssertEqual(login.status, 0, login.error)
        try secure.stop()
    }
}
