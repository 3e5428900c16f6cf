import Foundation
import Speechly
import TestSupport
import XCTest

final class ApiAccessTokenTests: XCTestCase {
    func testEveryCase() throws {
        let cases = try TestCases.cases("tokens.json")
        for test in cases {
            let why = test["why"] as? String ?? "?"
            let text = try XCTUnwrap(test["token"] as? String, why)
            let token = ApiAccessToken(tokenString: text)
            guard let value = test["value"] as? [String: Any] else {
                XCTAssertNil(token, why)
                continue
            }
            guard let token else {
                XCTFail("nil: \(why)")
                continue
            }
            XCTAssertEqual(token.appId, uuid(value["appId"]), why)
            XCTAssertEqual(token.projectId, uuid(value["projectId"]), why)
            XCTAssertEqual(token.deviceId, uuid(value["deviceId"]), why)
            XCTAssertEqual(token.expiresAt.timeIntervalSince1970, value["exp"] as? Double, why)
            let scopes = try XCTUnwrap(value["scopes"] as? [String], why)
            XCTAssertEqual(token.scopes, Set(scopes.map { $0 == "slu" ? .SLU : .WLU }), why)
            XCTAssertEqual(token.tokenString, text, why)
        }
        XCTAssertGreaterThanOrEqual(cases.count, 23)
    }

    private func uuid(_ value: Any?) -> UUID? { (value as? String).flatMap(UUID.init(uuidString:)) }

    private func token(appId: UUID?, projectId: UUID?, expiresAt: Date = .distantFuture) -> ApiAccessToken {
        ApiAccessToken(
            appId: appId, projectId: projectId, deviceId: testDeviceId, expiresAt: expiresAt, scopes: [.SLU],
            tokenString: "secret")
    }

    func testKeyIsTheAppOrTheProjectOrZero() {
        let app = UUID()
        let project = UUID()
        XCTAssertEqual(token(appId: app, projectId: nil).key(), app)
        XCTAssertEqual(token(appId: nil, projectId: project).key(), project)
        XCTAssertEqual(token(appId: nil, projectId: nil).key().uuidString, "00000000-0000-0000-0000-000000000000")
        XCTAssertEqual(token(appId: app, projectId: nil).type, .Application)
        XCTAssertEqual(token(appId: nil, projectId: project).type, .Project)
    }

    func testValidateComparesIdsAndExpiry() {
        let app = UUID()
        let soon = token(appId: app, projectId: nil, expiresAt: Date(timeIntervalSinceNow: 1000))
        XCTAssertTrue(soon.validate(key: app, deviceId: testDeviceId, expiresIn: 900))
        XCTAssertFalse(soon.validate(key: app, deviceId: testDeviceId, expiresIn: 1100))
        XCTAssertFalse(soon.validate(key: UUID(), deviceId: testDeviceId, expiresIn: 0))
        XCTAssertFalse(soon.validate(key: app, deviceId: UUID(), expiresIn: 0))
        XCTAssertTrue(soon.validateExpiry(expiresIn: 900))
        XCTAssertFalse(soon.validateExpiry(expiresIn: 1100))
    }

    func testDescriptionKeepsTheSecret() {
        let token = token(appId: UUID(), projectId: nil)
        XCTAssertFalse("\(token)".contains("secret"))
    }
}
