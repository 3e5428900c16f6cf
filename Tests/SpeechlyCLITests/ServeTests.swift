import Foundation
import Speechly
import TestSupport
import XCTest

final class ServeTests: XCTestCase {
    private let repos = TestCases.url("speech/repos.sal").path

    private func address(_ line: String?) throws -> GRPCAddress {
        let line = try XCTUnwrap(line)
        let prefix = "listening on "
        XCTAssertTrue(line.hasPrefix(prefix), line)
        return try GRPCAddress(addr: String(line.dropFirst(prefix.count)))
    }

    private func logIn(_ address: GRPCAddress, appId: String) async throws -> LoginResponse {
        let channel = try Channel(address: address)
        defer { channel.close() }
        let request = LoginRequest(
            deviceId: UUID().uuidString.lowercased(), scope: .application(ApplicationScope(appId: appId)))
        let response = try await channel.unary(
            path: "/speechly.identity.v2.IdentityAPI/Login", request: request.serializedBytes())
        return try LoginResponse(serializedBytes: response.message)
    }

    func testSaysWhereItListensServesAndDrainsOnSIGTERM() async throws {
        let home = try TemporaryHome()
        let socket = home.url.appendingPathComponent("s").path
        let tool = try RunningTool(
            ["serve", repos, "--listen", "grpc://127.0.0.1:0", "--listen", "grpc+unix://\(socket)"], home: home.url)
        let first = try address(tool.readLine())
        XCTAssertNotEqual(first.port, 0)
        let second = try address(tool.readLine())
        XCTAssertEqual(second.unixPath, socket)
        for address in [first, second] {
            let response = try await logIn(address, appId: UUID().uuidString.lowercased())
            XCTAssertFalse(response.token.isEmpty)
        }
        tool.signal(SIGTERM)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0)
        XCTAssertEqual(outcome.output + outcome.error, "")
        XCTAssertFalse(FileManager.default.fileExists(atPath: socket))
    }

    func testLetsOnlyTheApplicationsGivenLogIn() async throws {
        let home = try TemporaryHome()
        let app = UUID().uuidString.lowercased()
        let tool = try RunningTool(["serve", repos, "--app-id", app], home: home.url)
        let address = try address(tool.readLine())
        let response = try await logIn(address, appId: app)
        XCTAssertFalse(response.token.isEmpty)
        do {
            _ = try await logIn(address, appId: UUID().uuidString.lowercased())
            XCTFail("another application logged in")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .notFound)
        }
        tool.signal(SIGINT)
        XCTAssertEqual(try tool.finish().status, 0)
    }

    func testLetsNoProjectLogInWhereAnApplicationIsNamed() throws {
        let home = try TemporaryHome()
        let id = UUID().uuidString.lowercased()
        for (arguments, status) in [(["--app-id", id], 1), ([], 0)] as [([String], Int32)] {
            let tool = try RunningTool(["serve", repos] + arguments, home: home.url)
            let address = try address(tool.readLine())
            let login = try RunningTool.run(["login", "--slu-addr", "\(address)", "--project-id", id])
            XCTAssertEqual(login.status, status, login.error)
            tool.signal(SIGTERM)
            XCTAssertEqual(try tool.finish().status, 0)
        }
    }

    func testListeningNeedsAPort() throws {
        for text in ["grpc://127.0.0.1", "grpc://127.0.0.1/", "grpc://[::1]", "grpc://localhost"] {
            let outcome = try RunningTool.run(["serve", repos, "--listen", text])
            XCTAssertEqual(outcome.status, 2, text)
            XCTAssertTrue(outcome.error.contains("--listen: '\(text)' has no port"), outcome.error)
        }
    }

    func testSaysInOneLineWhyItCannotServe() throws {
        let home = try TemporaryHome()
        let bad = try home.write("*a [x\n", to: "bad.sal")
        let cases = [
            ([bad], "speechly: \(bad):1:4: "), (["/nowhere.sal"], "/nowhere.sal"),
            ([repos, "--listen", "grpc://192.0.2.1:1", "--allow-plaintext"], "grpc://192.0.2.1:1"),
            ([repos, "--listen", "grpc+unix:///nowhere/s"], "/nowhere/s"),
        ]
        for (arguments, expected) in cases {
            let outcome = try RunningTool.run(["serve"] + arguments)
            XCTAssertEqual(outcome.status, 1, "\(arguments)")
            XCTAssertEqual(outcome.output, "")
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
            XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error)
        }
    }
}
