import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

final class HealthServiceTests: XCTestCase {
    private func harness() throws -> ServiceHarness {
        var configuration = ServiceConfiguration()
        configuration.recognizer = RecognizerProvider { _ in ScriptedRecognizer(script: ["go"]) }
        return try ServiceHarness(configuration)
    }

    private func watch(
        _ harness: ServiceHarness, _ service: String, until count: Int, _ then: () async -> Void = {}
    ) async throws -> (statuses: [HealthCheckResponse.ServingStatus], end: GRPCStatus?) {
        let (events, continuation) = AsyncStream<Result<HealthCheckResponse, GRPCStatus>>.makeStream()
        let call = try BidirectionalCall(
            channel: harness.channel, path: "/grpc.health.v1.Health/Watch", options: CallOptions(timeout: .seconds(60))
        ) { event in
            switch event {
            case .message(let bytes):
                continuation.yield(
                    Result { try HealthCheckResponse(serializedBytes: bytes) }.mapError {
                        GRPCStatus(code: .dataLoss, message: "\($0)")
                    })
            case .end(let status):
                continuation.yield(.failure(status))
                continuation.finish()
            case .initialMetadata, .writable: break
            }
        }
        defer { call.cancel() }
        try await call.sendWhenWritable(HealthCheckRequest(service: service).serializedBytes())
        call.closeSend()
        var statuses: [HealthCheckResponse.ServingStatus] = []
        for await event in events {
            switch event {
            case .success(let response):
                statuses.append(response.status)
                if statuses.count == 1 { await then() }
                if statuses.count == count, count == 1 { return (statuses, nil) }
            case .failure(let status): return (statuses, status)
            }
        }
        return (statuses, nil)
    }

    func testCheckNeedsNoTokenAndKnowsEveryService() async throws {
        let harness = try harness()
        for service in EmbeddedService.serviceNames.union([""]) {
            let response: HealthCheckResponse = try await harness.unary(
                "/grpc.health.v1.Health/Check", HealthCheckRequest(service: service))
            XCTAssertEqual(response.status, .serving, service)
        }
        do {
            let _: HealthCheckResponse = try await harness.unary(
                "/grpc.health.v1.Health/Check", HealthCheckRequest(service: "speechly.slu.v9.SLU"))
            XCTFail("unknown service")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .notFound)
        }
    }

    func testAWatchHearsOfTheShutdownAndDoesNotHoldItUp() async throws {
        let harness = try harness()
        let stopped = expectation(description: "the service is down")
        let (statuses, end) = try await watch(harness, "speechly.slu.v1.SLU", until: 2) {
            Task {
                await harness.service.shutdown(grace: .seconds(3_600))
                stopped.fulfill()
            }
        }
        XCTAssertEqual(statuses, [.serving, .notServing])
        XCTAssertEqual(end?.code, .unavailable)
        await fulfillment(of: [stopped], timeout: 60)
    }

    func testAWatchOfAnUnknownServiceSaysSo() async throws {
        let (statuses, _) = try await watch(harness(), "nobody.Knows", until: 1)
        XCTAssertEqual(statuses, [.serviceUnknown])
    }

    func testAWatchWithGarbageEndsAlone() async throws {
        let harness = try harness()
        let (ends, continuation) = AsyncStream<GRPCStatus>.makeStream()
        let call = try BidirectionalCall(
            channel: harness.channel, path: "/grpc.health.v1.Health/Watch", options: CallOptions(timeout: .seconds(60))
        ) { event in
            if case .end(let status) = event {
                continuation.yield(status)
                continuation.finish()
            }
        }
        try await call.sendWhenWritable([0x0A, 0xFF])
        for await status in ends { XCTAssertEqual(status.code, .invalidArgument) }
        let response: HealthCheckResponse = try await harness.unary(
            "/grpc.health.v1.Health/Check", HealthCheckRequest())
        XCTAssertEqual(response.status, .serving)
    }
}
