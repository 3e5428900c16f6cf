import Speechly
import XCTest

@testable import SpeechlyService

final class IdentityServiceTests: XCTestCase {
    private func login(
        _ harness: ServiceHarness, device: String = ServiceHarness.deviceId, app: String? = nil, project: String? = nil
    ) async throws -> LoginResponse {
        let scope: LoginRequest.Scope? =
            app.map { .application(ApplicationScope(appId: $0)) }
            ?? project.map { .project(ProjectScope(projectId: $0)) }
        return try await harness.login(LoginRequest(deviceId: device, scope: scope))
    }

    private func code(_ body: () async throws -> LoginResponse) async -> GRPCStatus.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? GRPCStatus)?.code
        }
    }

    func testLogin() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let app = try await login(harness, app: ServiceHarness.appId.uppercased())
        XCTAssertEqual(app.validForS, 86_400)
        XCTAssertGreaterThan(app.expiresAtEpoch, UInt64(Date().timeIntervalSince1970) + 86_000)
        XCTAssertEqual(app.expiresAt, Timestamp.iso8601(Int(app.expiresAtEpoch)))
        XCTAssertTrue(app.expiresAt.hasSuffix("+00:00"))
        let claims = try harness.authority.verify(app.token)
        XCTAssertEqual(claims.scope, .application(ServiceHarness.appId.uppercased()))
        XCTAssertEqual(claims.deviceId, ServiceHarness.deviceId)
        let project = try await login(harness, project: ServiceHarness.projectId)
        XCTAssertEqual(try harness.authority.verify(project.token).scope, .project(ServiceHarness.projectId))
    }

    func testRefusedLogins() async throws {
        var configuration = try SpeechCase.configuration()
        configuration.appIds = [try XCTUnwrap(UUID(uuidString: ServiceHarness.appId))]
        configuration.projectIds = []
        let harness = try ServiceHarness(configuration)
        let other = "00000000-0000-4000-8000-000000000000"
        let known = await code { try await login(harness, app: ServiceHarness.appId) }
        XCTAssertNil(known)
        let unknownApp = await code { try await login(harness, app: other) }
        XCTAssertEqual(unknownApp, .notFound)
        let unknownProject = await code { try await login(harness, project: other) }
        XCTAssertEqual(unknownProject, .notFound)
        let noScope = await code { try await login(harness) }
        XCTAssertEqual(noScope, .invalidArgument)
        for id in ["", "app", ServiceHarness.appId + "0", "{\(ServiceHarness.appId)}", "\u{0}\n\"\\"] {
            let app = await code { try await login(harness, app: id) }
            XCTAssertEqual(app, .invalidArgument, id)
            let device = await code { try await login(harness, device: id, app: ServiceHarness.appId) }
            XCTAssertEqual(device, .invalidArgument, id)
        }
    }

    func testTheOlderLogin() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        func login(_ request: IdentityV1LoginRequest) async throws -> IdentityV1LoginResponse {
            try await harness.unary("/speechly.identity.v1.Identity/Login", request)
        }
        let response = try await login(
            IdentityV1LoginRequest(
                deviceId: ServiceHarness.deviceId, appId: ServiceHarness.appId, languageCode: "en-US"))
        XCTAssertEqual(
            try harness.authority.verify(response.token).scope, .application(ServiceHarness.appId))
        for request in [
            IdentityV1LoginRequest(deviceId: "x", appId: ServiceHarness.appId),
            IdentityV1LoginRequest(deviceId: ServiceHarness.deviceId),
            IdentityV1LoginRequest(
                deviceId: ServiceHarness.deviceId, appId: ServiceHarness.appId, languageCode: "fi-FI"),
        ] {
            do {
                _ = try await login(request)
                XCTFail("\(request)")
            } catch let status as GRPCStatus {
                XCTAssertEqual(status.code, .invalidArgument)
            }
        }
    }

    func testAnUnreadableLogin() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        do {
            _ = try await harness.channel.unary(
                path: "/speechly.identity.v2.IdentityAPI/Login", request: [0x0A, 0xFF],
                options: ServiceHarness.options(token: nil))
            XCTFail("accepted")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .invalidArgument)
            XCTAssertTrue(status.message?.contains("LoginRequest") ?? false, "\(status)")
        }
    }

    func testIsoTimes() {
        XCTAssertEqual(Timestamp.iso8601(0), "1970-01-01T00:00:00+00:00")
        XCTAssertEqual(Timestamp.iso8601(1_709_210_096), "2024-02-29T12:34:56+00:00")
    }
}
