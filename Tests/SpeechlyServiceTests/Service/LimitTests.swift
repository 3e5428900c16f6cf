import Foundation
import Speechly
import XCTest

@testable import SpeechlyService

/// What a service refuses, and with which status.
final class LimitTests: XCTestCase {
    private func configuration() -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.recognizer = RecognizerProvider { _ in ScriptedRecognizer(script: ["go"]) }
        return configuration
    }

    private func opened(_ harness: ServiceHarness, token: String) async throws -> TestStream {
        let stream = try harness.stream(token: token)
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        _ = try await stream.responses { _ in true }
        return stream
    }

    func testADeviceHasItsShareOfStreamsAndOthersTheirs() async throws {
        var configuration = configuration()
        configuration.maximumStreamsPerClient = 2
        let harness = try ServiceHarness(configuration)
        let own = try harness.token()
        let streams = [try await opened(harness, token: own), try await opened(harness, token: own)]
        let (_, refused) = await (try harness.stream(token: own)).collect()
        XCTAssertEqual(refused.code, .resourceExhausted, "\(refused)")
        XCTAssertTrue(refused.message?.contains("2 streams") ?? false, "\(refused)")
        // Another token of the same device counts as the same; another device does not.
        let (_, again) = await (try harness.stream()).collect()
        XCTAssertEqual(again.code, .resourceExhausted)
        let other = try harness.authority.issue(.application(ServiceHarness.appId), deviceId: UUID().uuidString).token
        let third = try await opened(harness, token: other)
        for stream in streams + [third] {
            try await stream.send(.stop(SLUStop()))
            stream.closeSend()
            let (_, status) = await stream.collect()
            XCTAssertEqual(status, .ok)
        }
        // Room again, once the service has seen that one is over.
        let deadline = ContinuousClock.now + .seconds(60)
        while !harness.service.metrics.contains("speechly_streams_open 0\n"), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        _ = try await opened(harness, token: own)
    }

    func testAMessageThatIsTooLongForTheTransport() async throws {
        let harness = try ServiceHarness(configuration())
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(bytes: [UInt8](repeating: 0, count: 5 << 20))
        let (_, status) = await stream.collect()
        XCTAssertEqual(status.code, .resourceExhausted, "\(status)")
    }

    func testAContextMayLastFiveMinutes() async throws {
        let harness = try ServiceHarness(configuration())
        let second = [UInt8](repeating: 0, count: 32_000)
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        for _ in 0..<300 { try await stream.send(.audio(second)) }
        try await stream.send(.stop(SLUStop()))
        // The next one counts from nothing.
        try await stream.send(.start(SLUStart()))
        for _ in 0..<300 { try await stream.send(.audio(second)) }
        try await stream.send(.audio([0, 0]))
        let (responses, status) = await stream.collect()
        XCTAssertEqual(status.code, .outOfRange, "\(status)")
        XCTAssertTrue(status.message?.contains("5 minutes") ?? false, "\(status)")
        XCTAssertEqual(ContextTranscript.read(responses).map(\.isFinished), [true, false])
    }

    func testOtherMachinesAreReachedOnlyWhereItIsAllowed() throws {
        for host in ["0.0.0.0", "[::]", "192.0.2.1", "example.com", "127.0.0.1.example.com"] {
            let address = try GRPCAddress(addr: "grpc://\(host):0")
            XCTAssertFalse(address.isLocal, host)
            let service = try EmbeddedService(configuration: configuration())
            XCTAssertThrowsError(try service.start(listen: [address])) { error in
                XCTAssertEqual((error as? GRPCStatus)?.code, .invalidArgument)
                XCTAssertTrue("\(error)".contains("plaintext"), "\(error)")
            }
        }
        for text in [
            "grpc://127.0.0.1:0", "grpc://127.9.9.9:0", "grpc://localhost:0", "grpc://[::1]:0", "grpc+unix:///s",
        ] {
            XCTAssertTrue(try GRPCAddress(addr: text).isLocal, text)
        }
        let mixed = try GRPCAddress(addr: "grpc://127.0.0.1:0,0.0.0.0:0")
        XCTAssertFalse(mixed.isLocal)
        let service = try EmbeddedService(configuration: configuration())
        XCTAssertNoThrow(
            try service.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0,127.0.0.2:0")], allowsPlaintext: true))
        service.kill()
    }
}
