import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Who gets to see an access token.
final class TokenSafetyTests: XCTestCase {
    func testPlainTextStaysWithinTheMachine() throws {
        for address in [
            "grpc://127.0.0.1:1", "grpc://127.9.9.9", "grpc://localhost", "grpc://[::1]:5", "grpc+unix:///run/speechly",
            "grpc+tls://example.org", "grpc://127.0.0.1:1,127.0.0.1:2",
        ] {
            XCTAssertNoThrow(try TokenSafety.check(GRPCAddress(addr: address), allowsPlaintext: false), address)
        }
        for address in ["grpc://example.org", "grpc://10.0.0.1:4000", "grpc://127.example.org", "grpc://[fd00::1]"] {
            let address = try GRPCAddress(addr: address)
            XCTAssertThrowsError(try TokenSafety.check(address, allowsPlaintext: false)) {
                XCTAssertEqual(($0 as? Failure)?.code, .insecureAddress)
            }
            XCTAssertNoThrow(try TokenSafety.check(address, allowsPlaintext: true))
        }
        let mixed = try GRPCAddress(addr: "grpc://127.0.0.1:1,10.0.0.1:1")
        XCTAssertThrowsError(try TokenSafety.check(mixed, allowsPlaintext: false))
    }

    func testEveryClientRefusesToSendATokenInPlainText() async throws {
        let address = "grpc://192.0.2.1:9"
        XCTAssertThrowsError(
            try Client(appId: testAppId, prepareOnInit: false, identityAddr: address, sluAddr: address)
        ) { XCTAssertEqual(($0 as? Failure)?.code, .insecureAddress) }
        let token = try XCTUnwrap(
            ApiAccessToken(
                tokenString: MockToken.make(appId: testAppId.uuidString, deviceId: testDeviceId.uuidString)))
        func code(_ call: () async throws -> Void) async -> Failure.Code? {
            do { try await call() } catch { return (error as? Failure)?.code }
            return nil
        }
        let slu = await code {
            try await SluClient(addr: address).connect(token: token, config: SluConfig(sampleRate: 16000, channels: 1))
        }
        let identity = await code {
            _ = try await IdentityClient(addr: address).authenticate(appId: testAppId, deviceId: testDeviceId)
        }
        let wlu = await code {
            _ = try await WluClient(addr: address) { token }.understand(text: "x", languageCode: "en-US")
        }
        XCTAssertEqual([slu, identity, wlu], [.insecureAddress, .insecureAddress, .insecureAddress])
    }

    func testATokenThatTheServiceRepeatsIsNotPassedOn() async throws {
        let token = MockToken.make(appId: testAppId.uuidString, deviceId: testDeviceId.uuidString)
        let refuse = StreamScript(automatic: false).on(
            .opened, .end(GRPCStatus(code: .permissionDenied, message: "bad token 'Bearer \(token)'")))
        let server = try MockSpeechlyServer(streams: [refuse, refuse])
        let entries = Locked<[String]>([])
        let log = CallbackLog()
        let client = try Client.make(server) {
            $0.logger = Logger(level: .wire) { _, text in entries.withLock { $0.append(text) } }
        }
        client.delegate = log
        let events = client.events
        client.startContext()
        try await log.wait(for: "the error") { !$0.errors.isEmpty }
        guard case .apiError(let text)? = log.errors.first else { return XCTFail("\(log.errors)") }
        XCTAssertTrue(text.contains("bad token 'Bearer (token)'"), text)
        for await event in events {
            guard case .failure(let failure) = event else { continue }
            XCTAssertFalse("\(failure)\(failure.cause as Any)".contains("eyJ"), "\(failure)")
            break
        }
        let used = server.received.streams.compactMap(\.token)
        for entry in entries.withLock({ $0 }) {
            XCTAssertFalse(entry.contains("eyJ") || used.contains(where: entry.contains), entry)
        }
    }

    func testATokenIsRenewedInTheBackgroundBeforeItIsTooOld() async throws {
        let time = Locked(Date(timeIntervalSince1970: 1_000_000))
        let logins = Locked(0)
        let base = CountingIdentity {
            let now = time.withLock { $0 }
            logins.withLock { $0 += 1 }
            // The service's clock is a day behind: what counts is for how long the token is valid.
            let text = MockToken.make(
                appId: testAppId.uuidString, deviceId: testDeviceId.uuidString,
                issuedAt: now.addingTimeInterval(-86400), lifetime: 7200)
            return ApiAccessToken(tokenString: text)?.received(validFor: 7200, now: now)
        }
        let cache = MemoryCache()
        let client = CachingIdentityClient(baseClient: base, cache: cache, now: { time.withLock { $0 } })
        let first = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        time.withLock { $0 += 2000 }
        let second = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(first.tokenString, second.tokenString)
        XCTAssertEqual(logins.withLock { $0 }, 1)
        // An hour has to be left; ten minutes before that a new one is asked for, and nobody waits for it.
        time.withLock { $0 += 1100 }
        let third = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertEqual(third.tokenString, first.tokenString)
        try await eventually("the renewal") { cache.contents.values.contains { $0 != first.tokenString } }
        let fourth = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
        XCTAssertNotEqual(fourth.tokenString, first.tokenString)
        XCTAssertEqual(logins.withLock { $0 }, 2)
    }
}

private struct CountingIdentity: IdentityClientProtocol {
    let login: @Sendable () -> ApiAccessToken?

    func authenticate(appId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        guard let token = login() else { throw IdentityClient.IdentityClientError.invalidTokenPayload }
        return token
    }

    func authenticateProject(projectId: UUID, deviceId: UUID) async throws -> ApiAccessToken {
        try await authenticate(appId: projectId, deviceId: deviceId)
    }
}
