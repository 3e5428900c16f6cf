import Foundation
import SpeechlySync
import XCTest

@testable import Speechly

final class CachingIdentityClientTests: XCTestCase {
    private let start = Date(timeIntervalSince1970: 2_000_000_000)

    func testTokenIsFoundByTheNextProcessUnderALowerCaseKey() async throws {
        let cache = MemoryCache()
        let base = ScriptedIdentity { _ in try .made() }
        let first = try await CachingIdentityClient(baseClient: base, cache: cache)
            .authenticate(appId: testAppId, deviceId: testDeviceId)
        let key = "authToken.\(testAppId.uuidString.lowercased()).\(testDeviceId.uuidString.lowercased())"
        XCTAssertEqual(cache.contents, [key: first.tokenString])
        let second = try await CachingIdentityClient(baseClient: base, cache: cache)
            .authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(second.tokenString, first.tokenString)
        XCTAssertEqual(base.requests, 1)
    }

    /// Seconds of life, seconds since the login, and whether the token is still used.
    func testATokenIsUsedWhileAnHourOrHalfItsLifeIsLeft() async throws {
        let cases: [(lifetime: TimeInterval, age: TimeInterval, isUsed: Bool)] = [
            (86400, 82800, true), (86400, 82801, false), (7200, 3600, true), (7200, 3601, false),
            (3600, 1800, true), (3600, 1801, false), (600, 299, true), (600, 301, false),
        ]
        for test in cases {
            let now = Locked(start)
            let issued = start
            let base = ScriptedIdentity {
                try .made(issuedAt: issued.addingTimeInterval(TimeInterval($0 - 1)), lifetime: test.lifetime)
            }
            let client = CachingIdentityClient(baseClient: base, cache: MemoryCache()) { now.withLock { $0 } }
            let first = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
            now.withLock { $0 += test.age }
            // A token that is old enough to be renewed in the background is used meanwhile.
            let second = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
            XCTAssertEqual(second.tokenString == first.tokenString, test.isUsed, "\(test)")
        }
    }

    func testValidityAtReceiptCountsByTheLocalClock() throws {
        // The service's clock is ten hours behind.
        let skewed = try ApiAccessToken.made(issuedAt: start.addingTimeInterval(-36000), lifetime: 7200)
        XCTAssertFalse(skewed.isReusable(at: start))
        let received = skewed.received(validFor: 7200, now: start)
        XCTAssertTrue(received.isReusable(at: start))
        XCTAssertEqual(received.expiresAt, start.addingTimeInterval(7200))
        XCTAssertEqual(skewed.received(validFor: 0, now: start), skewed)
    }

    func testConcurrentLoginsShareOneRequest() async throws {
        let gate = Promise<Void>()
        let base = ScriptedIdentity { _ in
            try await gate.value()
            return try .made()
        }
        let client = CachingIdentityClient(baseClient: base, cache: MemoryCache())
        let tokens = try await withThrowingTaskGroup(of: ApiAccessToken.self) { group in
            for _ in 0..<20 {
                group.addTask { try await client.authenticate(appId: testAppId, deviceId: testDeviceId) }
            }
            while base.requests == 0 { await Task.yield() }
            gate.resolve(.success(()))
            return try await group.reduce(into: []) { $0.append($1.tokenString) }
        }
        XCTAssertEqual(Set(tokens).count, 1)
        XCTAssertEqual(tokens.count, 20)
        XCTAssertEqual(base.requests, 1)
    }

    func testACancelledCallerLeavesTheOthersWaiting() async throws {
        let gate = Promise<Void>()
        let base = ScriptedIdentity { _ in
            try await gate.value()
            return try .made()
        }
        let client = CachingIdentityClient(baseClient: base, cache: MemoryCache())
        let stays = Task { try await client.authenticate(appId: testAppId, deviceId: testDeviceId) }
        let leaves = Task { try await client.authenticate(appId: testAppId, deviceId: testDeviceId) }
        while base.requests == 0 { await Task.yield() }
        leaves.cancel()
        do {
            _ = try await leaves.value
            XCTFail("not cancelled")
        } catch is CancellationError {}
        gate.resolve(.success(()))
        _ = try await stays.value
    }

    func testTheLastCallerToLeaveCancelsTheRequest() async throws {
        let cancelled = Promise<Void>()
        let base = ScriptedIdentity { request in
            guard request == 1 else { return try .made() }
            do { try await Promise<Void>().value() } catch { cancelled.resolve(.success(())) }
            throw CancellationError()
        }
        let client = CachingIdentityClient(baseClient: base, cache: MemoryCache())
        let task = Task { try await client.authenticate(appId: testAppId, deviceId: testDeviceId) }
        while base.requests == 0 { await Task.yield() }
        task.cancel()
        try await cancelled.value()
        _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(base.requests, 2)
    }

    func testAFailedLoginIsTriedAgain() async throws {
        let base = ScriptedIdentity { request in
            guard request > 1 else { throw GRPCStatus(code: .unavailable) }
            return try .made()
        }
        let client = CachingIdentityClient(baseClient: base, cache: MemoryCache())
        do {
            _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
            XCTFail("no error")
        } catch let status as GRPCStatus { XCTAssertEqual(status.code, .unavailable) }
        _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
    }

    func testInvalidatingForgetsTheRefusedTokenOnly() async throws {
        let cache = MemoryCache()
        let base = ScriptedIdentity { request in try .made(lifetime: 86400 + Double(request)) }
        let client = CachingIdentityClient(baseClient: base, cache: cache)
        let first = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        client.invalidate(token: first)
        let second = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertNotEqual(first.tokenString, second.tokenString)
        client.invalidate(token: first)
        let third = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(third.tokenString, second.tokenString)
        XCTAssertEqual(base.requests, 2)
        XCTAssertEqual(base.invalidated, [first.tokenString, first.tokenString])
    }

    func testAStoredValueThatIsNoTokenIsReplaced() async throws {
        let key = "authToken.\(testAppId.uuidString.lowercased()).\(testDeviceId.uuidString.lowercased())"
        let cache = MemoryCache([key: "rubbish"])
        let base = ScriptedIdentity { _ in try .made() }
        let token = try await CachingIdentityClient(baseClient: base, cache: cache)
            .authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(cache.contents[key], token.tokenString)
    }
}
