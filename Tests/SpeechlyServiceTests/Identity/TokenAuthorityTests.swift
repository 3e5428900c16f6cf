import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyService

final class TokenAuthorityTests: XCTestCase {
    private static let device = ServiceHarness.deviceId
    private static let app = ServiceHarness.appId

    private func payload(_ token: String) throws -> [String: Any] {
        let parts = token.split(separator: ".")
        XCTAssertEqual(parts.count, 3)
        // As old clients do it: the standard alphabet, padded by the remainder.
        let text = String(parts[1])
        let padding = String(repeating: "=", count: text.count % 4)
        let data = try XCTUnwrap(Data(base64Encoded: text + padding), text)
        return try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func testClaimsOfAnApplicationToken() throws {
        let authority = try TokenAuthority(now: { Date(timeIntervalSince1970: 1_700_000_000) })
        let (token, _) = try authority.issue(.application(Self.app), deviceId: Self.device)
        let claims = try payload(token)
        XCTAssertEqual(claims["appId"] as? String, Self.app)
        XCTAssertNil(claims["projectId"])
        XCTAssertEqual(claims["deviceId"] as? String, Self.device)
        XCTAssertEqual(claims["scope"] as? String, "slu wlu")
        XCTAssertEqual(claims["iat"] as? Int, 1_700_000_000)
        XCTAssertEqual(claims["exp"] as? Int, 1_700_086_400)
    }

    func testAProjectTokenNamesNoApplication() throws {
        let (token, _) = try TokenAuthority().issue(.project(Self.app), deviceId: Self.device)
        let claims = try payload(token)
        XCTAssertNil(claims["appId"])
        XCTAssertEqual(claims["projectId"] as? String, Self.app)
    }

    func testEveryTokenSuitsOldClients() throws {
        let authority = try TokenAuthority()
        var tokens: Set<String> = []
        for round in 0..<300 {
            let id = UUID().uuidString
            let scope: TokenClaims.Scope = round % 2 == 0 ? .application(id) : .project(id.lowercased())
            let (token, claims) = try authority.issue(scope, deviceId: UUID().uuidString)
            let encoded = token.split(separator: ".")[1]
            XCTAssertFalse(encoded.contains("-") || encoded.contains("_"), token)
            XCTAssertNotEqual(encoded.count % 4, 3, token)
            XCTAssertEqual(try authority.verify(token), claims)
            tokens.insert(token)
        }
        XCTAssertEqual(tokens.count, 300)
    }

    func testChangedTokensAreRefused() throws {
        let authority = try TokenAuthority()
        let (token, _) = try authority.issue(.application(Self.app), deviceId: Self.device)
        let characters = Array(token)
        // The last character of 32 bytes in base 64 carries four bits: two others mean the same.
        for index in 0..<characters.count - 1 {
            var changed = characters
            changed[index] = changed[index] == "A" ? "B" : "A"
            guard changed != characters else { continue }
            XCTAssertThrowsError(try authority.verify(String(changed)), "character \(index)")
        }
        XCTAssertThrowsError(try authority.verify(String(token.dropLast(1))))
        XCTAssertThrowsError(try authority.verify(token + "."))
    }

    func testTokensThatWereNeverIssued() throws {
        let authority = try TokenAuthority()
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let (token, _) = try authority.issue(.application(Self.app), deviceId: Self.device)
        let parts = token.split(separator: ".").map(String.init)
        let expected: [(String, TokenError)] = [
            ("", .malformed), (".", .malformed), ("..", .malformed), ("a.b.c", .malformed),
            ("\(none).\(parts[1]).", .foreign),
            ("\(none).\(parts[1]).\(parts[2])", .foreign),
            ("\(parts[0]).\(parts[1]).", .forged),
            ("\(parts[0]).\(parts[1]).AAAA", .forged),
            (String(repeating: "a", count: 1_000_000), .malformed),
        ]
        for (token, error) in expected {
            XCTAssertThrowsError(try authority.verify(token), token.prefix(100).description) {
                XCTAssertEqual($0 as? TokenError, error, token.prefix(100).description)
            }
        }
        let other = try TokenAuthority()
        XCTAssertThrowsError(try other.verify(token)) { XCTAssertEqual($0 as? TokenError, .forged) }
    }

    func testAKeyIsSharedByServices() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let (token, claims) = try TokenAuthority(key: key).issue(.project(Self.app), deviceId: Self.device)
        XCTAssertEqual(try TokenAuthority(key: key).verify(token), claims)
    }

    func testExpiry() throws {
        let clock = Locked(Date(timeIntervalSince1970: 1_700_000_000))
        let authority = try TokenAuthority(now: { clock.withLock { $0 } })
        let (token, _) = try authority.issue(.application(Self.app), deviceId: Self.device)
        clock.withLock { $0 += TimeInterval(TokenAuthority.lifetime - 1) }
        XCTAssertNoThrow(try authority.verify(token))
        clock.withLock { $0 += 1 }
        XCTAssertThrowsError(try authority.verify(token)) { error in
            XCTAssertEqual(error as? TokenError, .expired(at: 1_700_086_400))
            XCTAssertTrue("\(error)".contains("2023-11-15T22:13:20+00:00"), "\(error)")
        }
    }
}
