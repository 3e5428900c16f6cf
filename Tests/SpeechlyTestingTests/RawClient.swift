import SpeechlyGRPC
import SpeechlyProto

/// A client of the mock server that knows nothing of the client library: messages in, messages out.
final class RawClient: Sendable {
    enum Event: Sendable, Hashable {
        case response(SLUResponse)
        case unreadable([UInt8])
        case end(GRPCStatus.Code)
    }

    let channel: Channel

    init(_ address: GRPCAddress) throws {
        channel = try Channel(address: address)
    }

    deinit { channel.close() }

    func logIn(_ request: LoginRequest = LoginRequest(deviceId: "device")) async throws -> LoginResponse {
        let response = try await channel.unary(
            path: "/speechly.identity.v2.IdentityAPI/Login", request: request.serializedBytes())
        return try LoginResponse(serializedBytes: response.message)
    }

    func understand(_ text: String) async throws -> WLUResponse {
        let response = try await channel.unary(
            path: "/speechly.slu.v1.WLU/Text", request: WLURequest(languageCode: "en-US", text: text).serializedBytes(),
            options: CallOptions(metadata: ["authorization": "Bearer token"]))
        return try WLUResponse(serializedBytes: response.message)
    }

    func openStream(token: String? = "token") throws -> RawStream {
        let metadata: Metadata = token.map { ["authorization": "Bearer \($0)"] } ?? [:]
        return try RawStream(channel: channel, metadata: metadata)
    }
}

/// One SLU stream of a raw client.
final class RawStream: Sendable {
    private let call: BidirectionalCall
    private let events: AsyncStream<RawClient.Event>

    init(channel: Channel, metadata: Metadata) throws {
        let (events, continuation) = AsyncStream.makeStream(of: RawClient.Event.self)
        self.events = events
        call = try BidirectionalCall(
            channel: channel, path: "/speechly.slu.v1.SLU/Stream", options: CallOptions(metadata: metadata)
        ) { event in
            switch event {
            case .message(let bytes):
                let response = try? SLUResponse(serializedBytes: bytes)
                continuation.yield(response.map { .response($0) } ?? .unreadable(Array(bytes)))
            case .end(let status):
                continuation.yield(.end(status.code))
                continuation.finish()
            default: break
            }
        }
    }

    func send(_ requests: SLURequest.StreamingRequest?...) {
        for request in requests { _ = call.send(SLURequest(streamingRequest: request).serializedBytes()) }
    }

    func sendBytes(_ bytes: [UInt8]) -> SendResult { call.send(bytes) }
    func closeSend() { call.closeSend() }
    func cancel() { call.cancel() }

    /// The next event; nil after the end.
    func next() async -> RawClient.Event? {
        for await event in events { return event }
        return nil
    }

    /// The next responses, by what they say.
    func responses(_ count: Int) async -> [SLUResponse] {
        var responses: [SLUResponse] = []
        while responses.count < count, let event = await next() {
            if case .response(let response) = event { responses.append(response) }
        }
        return responses
    }

    /// How the stream ended.
    func end() async -> GRPCStatus.Code? {
        while let event = await next() {
            if case .end(let code) = event { return code }
        }
        return nil
    }
}

extension SLURequest.StreamingRequest {
    static var mono: Self { .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)) }
    static var begin: Self { .start(SLUStart()) }
    static var end: Self { .stop(SLUStop()) }
    static func silence(_ bytes: Int) -> Self { .audio([UInt8](repeating: 0, count: bytes)) }
}
