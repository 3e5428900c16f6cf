import Foundation
import Speechly
import SpeechlyService

/// A stream to an embedded service, as a client has it.
final class Session: Sendable {
    private let service: EmbeddedService
    private let channel: Channel
    private let call: BidirectionalCall
    private let responses: AsyncStream<SLUResponse>.Iterator.Box

    /// Starts a service, logs in, and opens a stream.
    init(configuration: ServiceConfiguration, socket: String) async throws {
        service = try EmbeddedService(configuration: configuration)
        let address = try GRPCAddress(unixPath: socket)
        try service.start(listen: [address])
        channel = try Channel(address: address)
        let token = try await IdentityClient(channel: channel).authenticate(appId: UUID(), deviceId: UUID())
        let (stream, continuation) = AsyncStream<SLUResponse>.makeStream()
        responses = .init(stream.makeAsyncIterator())
        var options = CallOptions()
        options.metadata["authorization"] = "Bearer \(token.tokenString)"
        call = try BidirectionalCall(channel: channel, path: "/speechly.slu.v1.SLU/Stream", options: options) { event in
            switch event {
            case .message(let bytes):
                if let response = try? SLUResponse(serializedBytes: bytes) { continuation.yield(response) }
            case .end: continuation.finish()
            case .initialMetadata, .writable: break
            }
        }
        try await send(.config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
    }

    private func send(_ request: SLURequest.StreamingRequest) async throws {
        try await call.sendWhenWritable(SLURequest(streamingRequest: request).serializedBytes())
    }

    /// What one context took, and heard.
    struct Result {
        var total: Duration
        var afterStop: Duration
        var words: [String]
    }

    /// Sends a context in chunks of 100 ms, flat out or as a microphone would, and waits for its end.
    func context(_ audio: [UInt8], realtime: Bool) async throws -> Result {
        let start = ContinuousClock.now
        try await send(.start(SLUStart()))
        for (number, offset) in stride(from: 0, to: audio.count, by: 3_200).enumerated() {
            if realtime { try await Task.sleep(until: start + .milliseconds(100) * (number + 1)) }
            try await send(.audio(Array(audio[offset..<min(offset + 3_200, audio.count)])))
        }
        let stop = ContinuousClock.now
        try await send(.stop(SLUStop()))
        var words: [String] = []
        while let response = await responses.next() {
            switch response.streamingResponse {
            case .transcript(let word)?: words.append(word.word)
            case .finished?:
                let end = ContinuousClock.now
                return Result(total: end - start, afterStop: end - stop, words: words)
            default: break
            }
        }
        throw BenchmarkError("the stream ended before the context")
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension AsyncStream.Iterator {
    /// Sendable: the benchmark has one context at a time, and so one reader.
    final class Box: @unchecked Sendable {
        private var iterator: AsyncStream<Element>.Iterator
        init(_ iterator: AsyncStream<Element>.Iterator) { self.iterator = iterator }
        func next() async -> Element? { await iterator.next(isolation: nil) }
    }
}
