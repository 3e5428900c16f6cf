import Foundation
import XCTest

@testable import SpeechlyCLI

final class ServiceOptionsTests: XCTestCase {
    private let app = "9E1FDD76-1F0B-4B0A-8AD1-5D2F8A9E0C11"

    private func target(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ServiceTarget {
        let syntax = CommandSyntax(
            words: ["hear"], summary: "", details: "", operands: .none, options: ServiceOptions.all)
        return try ServiceOptions.target(
            ArgumentParser(syntax: syntax, environment: environment).parse(arguments))
    }

    private func remote(_ arguments: [String], _ environment: [String: String] = [:]) throws -> RemoteService {
        guard case .remote(let service) = try target(arguments, environment) else {
            throw UsageError("test", "not a remote service")
        }
        return service
    }

    func testUsesTheEmbeddedServiceUnlessAnAddressIsGiven() throws {
        guard case .embedded(nil) = try target([]) else { return XCTFail("no address") }
        guard case .embedded("a.sal") = try target(["--config", "a.sal"]) else { return XCTFail("option") }
        guard case .embedded("b.sal") = try target([], ["SPEECHLY_CONFIG": "b.sal"]) else { return XCTFail("variable") }
        let both = ["SPEECHLY_SLU_ADDR": "grpc://h:1"]
        guard case .embedded("a.sal") = try target(["--config", "a.sal"], both) else { return XCTFail("option wins") }
    }

    func testOneAddressServesForBoth() throws {
        let one = try remote(["--slu-addr", "grpc://h:1", "--app-id", app])
        XCTAssertEqual(one.slu.description, "grpc://h:1")
        XCTAssertEqual(one.identity.description, "grpc://h:1")
        XCTAssertEqual(one.appId?.uuidString, app)
        let two = try remote([
            "--slu-addr", "grpc://h:1", "--identity-addr", "grpc+tls://i", "--project-id", app,
        ])
        XCTAssertEqual(two.identity.description, "grpc+tls://i:443")
        XCTAssertEqual(two.projectId?.uuidString, app)
    }

    func testReadsTheEnvironmentWhereOptionsAreAbsent() throws {
        let environment = [
            "SPEECHLY_SLU_ADDR": "grpc://h:1", "SPEECHLY_IDENTITY_ADDR": "grpc://i:2", "SPEECHLY_APP_ID": app,
        ]
        XCTAssertEqual(try remote([], environment).identity.description, "grpc://i:2")
        XCTAssertEqual(try remote(["--slu-addr", "grpc://k:3"], environment).slu.description, "grpc://k:3")
    }

    func testNamesWhatIsWrong() {
        let cases: [([String], [String: String], String)] = [
            (["--config", "a.sal", "--slu-addr", "grpc://h"], [:], "--config"),
            (["--slu-addr", "http://h", "--app-id", app], [:], "--slu-addr"),
            (["--slu-addr", "grpc://h:1"], [:], "--app-id"),
            (["--slu-addr", "grpc://h:1", "--app-id", "12"], [:], "--app-id"),
            ([], ["SPEECHLY_SLU_ADDR": "h", "SPEECHLY_APP_ID": app], "SPEECHLY_SLU_ADDR"),
            ([], ["SPEECHLY_SLU_ADDR": "grpc://h", "SPEECHLY_CONFIG": "a"], "SPEECHLY_CONFIG"),
        ]
        for (arguments, environment, what) in cases {
            XCTAssertThrowsError(try target(arguments, environment), "\(arguments) \(environment)") {
                XCTAssertEqual(($0 as? UsageError)?.what, what)
            }
        }
    }
}
