import Foundation
import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

/// A service on a Unix socket of its own, and a channel to it.
final class ServiceHarness: Sendable {
    static let appId = "6b6d2b3c-5e3f-4c39-9d0f-6f0f5a6b8c7d"
    static let projectId = "1f9d6a1e-0c1d-4b5a-8a7e-2d3c4b5a6978"
    static let deviceId = "9C1C2E2A-75B4-4B3F-8E07-41C5B8A8A1F1"

    let service: EmbeddedService
    let channel: Channel
    let authority: TokenAuthority
    private let directory: URL

    init(
        _ configuration: ServiceConfiguration, adjust: (inout SLUEnvironment) -> Void = { _ in }
    ) throws {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("service-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
        directory = template
        authority = try TokenAuthority()
        service = try EmbeddedService(configuration: configuration, authority: authority, adjust: adjust)
        let address = try GRPCAddress(unixPath: directory.appendingPathComponent("s").path)
        try service.start(listen: [address])
        channel = try Channel(address: address)
    }

    deinit {
        channel.close()
        service.kill()
        try? FileManager.default.removeItem(at: directory)
    }

    func token(_ scope: TokenClaims.Scope = .application(ServiceHarness.appId)) throws -> String {
        try authority.issue(scope, deviceId: Self.deviceId).token
    }

    static func options(token: String?) -> CallOptions {
        var options = CallOptions(timeout: .seconds(60))
        if let token { options.metadata["authorization"] = "Bearer \(token)" }
        return options
    }

    func unary<Request: ProtoMessage, Response: ProtoMessage>(
        _ path: String, _ request: Request, token: String? = nil
    ) async throws -> Response {
        let response = try await channel.unary(
            path: path, request: request.serializedBytes(), options: Self.options(token: token))
        return try Response(serializedBytes: response.message)
    }

    func login(_ request: LoginRequest) async throws -> LoginResponse {
        try await unary("/speechly.identity.v2.IdentityAPI/Login", request)
    }

    /// A stream that has not sent anything yet, with a valid token unless another or none is given.
    func stream(token: String?) throws -> TestStream { try TestStream(channel: channel, token: token) }

    func stream() throws -> TestStream { try stream(token: token()) }
}

/// A client's side of one SLU stream that collects what it gets.
final class TestStream: Sendable {
    private let call: BidirectionalCall
    private let results: AsyncStream<Result<SLUResponse, GRPCStatus>>

    init(channel: Channel, token: String?) throws {
        let (stream, continuation) = AsyncStream<Result<SLUResponse, GRPCStatus>>.makeStream()
        results = stream
        call = try BidirectionalCall(
            channel: channel, path: "/speechly.slu.v1.SLU/Stream", options: ServiceHarness.options(token: token)
        ) { event in
            switch event {
            case .message(let bytes):
                if let response = try? SLUResponse(serializedBytes: bytes) {
                    continuation.yield(.success(response))
                } else {
                    continuation.yield(.failure(GRPCStatus(code: .dataLoss, message: "unreadable response")))
                }
            case .end(let status):
                continuation.yield(.failure(status))
                continuation.finish()
            case .initialMetadata, .writable: break
            }
        }
    }

    /// Sends a request; what the peer refuses after it ended the stream is dropped.
    func send(_ request: SLURequest.StreamingRequest) async throws {
        try await send(bytes: SLURequest(streamingRequest: request).serializedBytes())
    }

    func send(bytes: [UInt8]) async throws {
        do {
            try await call.sendWhenWritable(bytes)
        } catch is GRPCStatus {
            return
        }
    }

    func configure(sampleRate: Int32 = 16_000, options: [SLUConfig.Option] = []) async throws {
        try await send(
            .config(
                SLUConfig(channels: 1, sampleRateHertz: sampleRate, languageCode: "en-US", options: options)))
    }

    /// Sends a whole context, flat out.
    func sendContext(_ samples: [Int16], chunk: Int = 1600, options: [SLUStart.Option] = []) async throws {
        try await send(.start(SLUStart(options: options)))
        for start in stride(from: 0, to: samples.count, by: chunk) {
            let part = samples[start..<min(start + chunk, samples.count)]
            try await send(.audio(part.withUnsafeBytes { Array($0) }))
        }
        try await send(.stop(SLUStop()))
    }

    func closeSend() { call.closeSend() }

    func cancel() { call.cancel() }

    /// Everything up to the end, and how the stream ended.
    func collect() async -> (responses: [SLUResponse], status: GRPCStatus) {
        var responses: [SLUResponse] = []
        for await result in results {
            switch result {
            case .success(let response): responses.append(response)
            case .failure(let status): return (responses, status)
            }
        }
        return (responses, GRPCStatus(code: .unknown, message: "the stream was read to its end before"))
    }

    /// Responses until one fulfils a condition, with that one.
    func responses(until isLast: (SLUResponse) -> Bool) async throws -> [SLUResponse] {
        var responses: [SLUResponse] = []
        for await result in results {
            responses.append(try result.get())
            if let last = responses.last, isLast(last) { return responses }
        }
        return responses
    }
}
