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

    func testNeedsAnAddressAndSomebody() throws {
        XCTAssertEqual(try RunningTool.run(["login", "--app-id", app]).status, 2)
        XCTAssertEqual(try RunningTool.run(["login", "--slu-addr", "grpc://127.0.0.1:1"]).status, 2)
    }
}
