import Foundation
import SpeechlyTesting
import XCTest

final class MockTokenTests: XCTestCase {
    private func claims(_ token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        XCTAssertEqual(parts.count, 3)
        XCTAssertFalse(token.contains { "+/=".contains($0) })
        var payload = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while payload.count % 4 != 0 { payload += "=" }
        let data = try XCTUnwrap(Data(base64Encoded: payload))
        return try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func testCarriesTheClaimsOfAnApplication() throws {
        let issued = Date(timeIntervalSince1970: 1_700_000_000)
        let claims = try claims(MockToken.make(appId: "app", deviceId: "device", issuedAt: issued, lifetime: 3600))
        XCTAssertEqual(claims["appId"] as? String, "app")
        XCTAssertNil(claims["projectId"])
        XCTAssertEqual(claims["deviceId"] as? String, "device")
        XCTAssertEqual(claims["scope"] as? String, "slu wlu")
        XCTAssertEqual(claims["iat"] as? Int, 1_700_000_000)
        XCTAssertEqual(claims["exp"] as? Int, 1_700_003_600)
    }

    func testCarriesExactlyTheClaimsAskedFor() throws {
        let claims = try claims(MockToken.make(claims: ["text": "?>~ü", "number": 1]))
        XCTAssertEqual(claims.keys.sorted(), ["number", "text"])
        XCTAssertEqual(claims["text"] as? String, "?>~ü")
    }
}
