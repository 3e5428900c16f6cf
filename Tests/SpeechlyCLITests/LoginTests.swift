import Foundation
import Speechly
import SpeechlyTesting
import XCTest

final class LoginTests: XCTestCase {
    private let app = "9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11"

    private func arguments(_ server: MockSpeechlyServer, _ more: String...) -> [String] {
        ["login", "--identity-addr", server.address.description] + more
    }

    func testShowsWhatTheTokenSaysButNotTheToken() throws {
        let server = try MockSpeechlyServer()
        let outcome = try RunningTool.run(arguments(server, "--app-id", app, "--json"))
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let login = try XCTUnwrap(try outcome.objects().first)
        XCTAssertEqual(Set(login.keys), ["event", "appId", "deviceId", "scopes", "expiresAt"])
        XCTAssertEqual(login["event"] as? String, "login")
        XCTAssertEqual(login["appId"] as? String, app)
        XCTAssertEqual(login["scopes"] as? [String], ["slu", "wlu"])
        XCTAssertEqual(login["deviceId"] as? String, server.received.logins[0].request.deviceId)
        let text = try RunningTool.run(arguments(server, "--app-id", app))
        XCTAssertTrue(text.output.hasPrefix("logged in as application \(app)\n"), text.output)
        XCTAssertFalse(text.output.contains("eyJ"), text.output)
    }

    func testShowsTheTokenOnlyWhenAsked() throws {
        let server = try MockSpeechlyServer()
        let outcome = try RunningTool.run(arguments(server, "--project-id", app, "--json", "--show-token"))
        let login = try XCTUnwrap(try outcome.objects().first)
        XCTAssertEqual(login["projectId"] as? String, app)
        XCTAssertTrue((login["token"] as? String)?.hasPrefix("eyJ") == true, outcome.output)
    }

    func testKeepsTheDeviceIdButLogsInAnew() throws {
        let server = try MockSpeechlyServer()
        let home = try TemporaryHome()
        for _ in 1...2 {
            let tool = try RunningTool(arguments(server, "--app-id", app), home: home.url)
            XCTAssertEqual(try tool.finish().status, 0)
        }
        let devices = server.received.logins.map(\.request.deviceId)
        XCTAssertEqual(devices.count, 2)
        XCTAssertEqual(Set(devices).count, 1)
    }

    func testSaysWhatToDoWhereNobodyAnswers() throws {
        let server = try MockSpeechlyServer()
        server.setAcceptsConnections(false)
        let closed = try RunningTool.run(arguments(server, "--app-id", app))
        XCTAssertEqual(closed.status, 1)
        XCTAssertTrue(closed.error.hasPrefix("speechly: cannot log in (\(server.address))"), closed.error)
        XCTAssertTrue(closed.error.contains("check the address and that a service runs there"), closed.error)
        server.setAcceptsConnections(true)
        server.setStalled(true)
        let silent = try RunningTool.run(arguments(server, "--app-id", app, "--connect-timeout", "0.2"))
        XCTAssertTrue(silent.error.contains("check the address"), silent.error)
    }

    func testATextThatReachesNobodyIsNotDelivered() throws {
        let (server, away) = (try MockSpeechlyServer(), try MockSpeechlyServer())
        away.setAcceptsConnections(false)
        let outcome = try RunningTool.run([
            "understand", "--identity-addr", "\(server.address)", "--slu-addr", "\(away.address)", "--app-id", app,
            "go",
        ])
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.error.contains("the text was not delivered (\(away.address))"), outcome.error)
    }

    func testCertificatesThatAreNone() throws {
        let home = try TemporaryHome()
        let file = try home.write("hello\n", to: "roots.pem")
        for (path, expected) in [
            (file, "has no certificate"), (home.url.path, "directory"), ("/nowhere", "No such file"),
        ] {
            let outcome = try RunningTool.run(["login", "--slu-addr", "grpc://a", "--app-id", app, "--tls-roots", path])
            XCTAssertEqual(outcome.status, 2)
            XCTAssertTrue(outcome.error.contains("--tls-roots: "), outcome.error)
            XCTAssertTrue(outcome.error.contains("'\(path)'") && outcome.error.contains(expected), outcome.error)
        }
    }

    func testAnIdIsAskedForAsTheCommandNeedsIt() throws {
        for command in [["login"], ["understand", "x"], ["transcribe", "x"], ["listen"]] {
            let outcome = try RunningTool.run(command + ["--slu-addr", "grpc://127.0.0.1:1"])
            XCTAssertEqual(outcome.status, 2)
            XCTAssertEqual(outcome.error.contains("or --project-id"), command == ["login"], outcome.error)
        }
    }

    func testNeedsAnAddressAndSomebody() throws {
        XCTAssertEqual(try RunningTool.run(["login", "--app-id", app]).status, 2)
        XCTAssertEqual(try RunningTool.run(["login", "--slu-addr", "grpc://127.0.0.1:1"]).status, 2)
    }
}
