import SpeechlyGRPC
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Logins and texts do not wait on a connection that is dead.
final class RenewableChannelTests: XCTestCase {
    private final class Switch: ConnectionWatch {
        let hasChanged = Locked(false)
        func change() -> String? {
            hasChanged.withLock { changed in
                defer { changed = false }
                return changed ? "the network has changed" : nil
            }
        }
    }

    private static func logIn(
        _ channel: RenewableChannel, timeout: Duration = .seconds(10)
    ) async throws {
        let client = IdentityClient(channel: channel, timeout: timeout)
        _ = try await client.authenticate(appId: testAppId, deviceId: testDeviceId)
    }

    func testAConnectionIsKeptAsLongAsItAnswers() async throws {
        let server = try MockSpeechlyServer(logins: [.token(), .status(GRPCStatus(code: .unavailable)), .token()])
        let channel = try RenewableChannel(address: server.address, watch: Switch())
        try await Self.logIn(channel)
        do {
            try await Self.logIn(channel)
            XCTFail("no error")
        } catch let status as GRPCStatus { XCTAssertEqual(status.code, .unavailable) }
        try await Self.logIn(channel)
        XCTAssertEqual(server.connectionTimes.count, 1)
    }

    func testAnotherNetworkMeansAnotherConnection() async throws {
        let server = try MockSpeechlyServer()
        let watch = Switch()
        let channel = try RenewableChannel(address: server.address, watch: watch)
        try await Self.logIn(channel)
        watch.hasChanged.withLock { $0 = true }
        try await Self.logIn(channel)
        try await Self.logIn(channel)
        XCTAssertEqual(server.connectionTimes.count, 2)
    }

    func testAConnectionThatDoesNotAnswerInTimeIsNotUsedAgain() async throws {
        let server = try MockSpeechlyServer(logins: [.token(), .silence, .token()])
        let channel = try RenewableChannel(address: server.address, watch: nil)
        try await Self.logIn(channel)
        do {
            try await Self.logIn(channel, timeout: .milliseconds(50))
            XCTFail("no error")
        } catch let status as GRPCStatus { XCTAssertEqual(status.code, .deadlineExceeded) }
        try await Self.logIn(channel)
        XCTAssertEqual(server.connectionTimes.count, 2)
    }

    func testAServiceThatComesBackIsFoundAtOnce() async throws {
        let server = try MockSpeechlyServer()
        server.setAcceptsConnections(false)
        let channel = try RenewableChannel(address: server.address, watch: nil)
        for _ in 0..<3 {
            do {
                try await Self.logIn(channel)
                XCTFail("no error")
            } catch let status as GRPCStatus { XCTAssertEqual(status.code, .unavailable) }
        }
        server.setAcceptsConnections(true)
        // libgrpc itself would not try again for twenty seconds.
        try await Self.logIn(channel, timeout: .seconds(15))
    }

    func testACallersChannelStaysWhatItIs() async throws {
        let server = try MockSpeechlyServer(logins: [.token(), .silence, .token()])
        let channel = RenewableChannel(try Channel(address: server.address))
        try await Self.logIn(channel)
        do {
            try await Self.logIn(channel, timeout: .milliseconds(50))
            XCTFail("no error")
        } catch let status as GRPCStatus { XCTAssertEqual(status.code, .deadlineExceeded) }
        try await Self.logIn(channel)
        XCTAssertEqual(server.connectionTimes.count, 1)
    }

    /// One call's deadline is not the end of another's call.
    func testOtherCallsOfTheOldConnectionComeToTheirEnds() async throws {
        let clock = ManualClock()
        let server = try MockSpeechlyServer(
            logins: [.token().delayed(.seconds(1)), .silence], clock: clock)
        let channel = try RenewableChannel(address: server.address, watch: nil)
        async let slow: Void = Self.logIn(channel)
        await clock.waitForSleepers()
        do {
            try await Self.logIn(channel, timeout: .milliseconds(50))
            XCTFail("no error")
        } catch let status as GRPCStatus { XCTAssertEqual(status.code, .deadlineExceeded) }
        clock.advance(by: .seconds(1))
        try await slow
    }
}
