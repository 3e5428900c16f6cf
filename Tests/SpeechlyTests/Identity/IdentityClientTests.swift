import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

final class IdentityClientTests: XCTestCase {
    func testLoginsNameAppOrProjectInLowerCase() async throws {
        let server = try MockSpeechlyServer()
        let client = try IdentityClient(addr: server.address.description)
        let token = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(token.appId, testAppId)
        XCTAssertEqual(token.deviceId, testDeviceId)
        let project = UUID()
        let projectToken = try await client.authenticateProject(projectId: project, deviceId: testDeviceId)
        XCTAssertEqual(projectToken.projectId, project)
        XCTAssertNil(projectToken.appId)
        let requests = server.received.logins.map(\.request)
        XCTAssertEqual(requests.map(\.deviceId), Array(repeating: testDeviceId.uuidString.lowercased(), count: 2))
        XCTAssertEqual(
            requests.map(\.scope),
            [
                .application(ApplicationScope(appId: testAppId.uuidString.lowercased())),
                .project(ProjectScope(projectId: project.uuidString.lowercased())),
            ])
    }

    func testAnUnreadableTokenIsAnError() async throws {
        let server = try MockSpeechlyServer(logins: [.response(LoginResponse(token: "rubbish"))])
        let client = try IdentityClient(addr: server.address.description)
        do {
            _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
            XCTFail("no error")
        } catch let error as IdentityClient.IdentityClientError {
            XCTAssertEqual(error, .invalidTokenPayload)
        }
    }

    func testTheStatusOfTheServiceIsTheError() async throws {
        let server = try MockSpeechlyServer(logins: [.status(GRPCStatus(code: .notFound, message: "no such app"))])
        let client = try IdentityClient(addr: server.address.description)
        do {
            _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
            XCTFail("no error")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .notFound)
            XCTAssertEqual(status.message, "no such app")
        }
    }

    func testValidityComesFromTheAnswer() async throws {
        let issued = Date(timeIntervalSinceNow: -360_000)
        let text = MockToken.make(
            appId: testAppId.uuidString, deviceId: testDeviceId.uuidString, issuedAt: issued, lifetime: 86400)
        let server = try MockSpeechlyServer(logins: [.response(LoginResponse(token: text, validForS: 7200))])
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        let client = IdentityClient(
            channel: try makeChannel(addr: server.address.description), timeout: .seconds(10), now: { now })
        let token = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(token.expiresAt, now.addingTimeInterval(7200))
        XCTAssertEqual(token.lifetime, 86400)
    }

    func testTokenCallOptionsCarryTheToken() {
        XCTAssertEqual(makeTokenCallOptions(token: "abc").metadata["Authorization"], "Bearer abc")
    }
}
