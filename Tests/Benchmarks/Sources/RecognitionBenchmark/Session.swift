import Foundation
import Speechly

/// A stream as a client has it.
final class Session: Sendable {
    struct Result: Sendable {
        var afterStop: Duration
        var words: [String]
    }

    private let call: BidirectionalCall
    private let responses: Responses

    init(channel: Channel, token: String) async throws {
        let (stream, continuation) = AsyncStream<SLUResponse>.makeStream()
        responses = Responses(stream.makeAsyncIterator())
        var options = CallOptions()
        options.metadata["authorization"] = "Bearer \(token)"
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

    /// Sends a context in chunks of 100 ms, one every `pace`, and waits for its end.
    func context(_ samples: [Int16], pace: Duration?) async throws -> Result {
        let start = ContinuousClock.now
        try await send(.start(SLUStart()))
        for (number, offset) in stride(from: 0, to: samples.count, by: 1_600).enumerated() {
            if let pace { try await Task.sleep(until: start + pace * (number + 1)) }
            let chunk = samples[offset..<min(offset + 1_600, samples.count)]
            try await send(
                .audio(chunk.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }))
        }
        let stop = ContinuousClock.now
        try await send(.stop(SLUStop()))
        var words: [String] = []
        while let response = await responses.next() {
            switch response.streamingResponse {
            case .transcript(let word)?: words.append(word.word)
            case .finished?: return Result(afterStop: ContinuousClock.now - stop, words: words)
            default: break
            }
        }
        throw BenchmarkError("the stream ended before the context")
    }
}

/// Sendable: a session has one context at a time, and so one reader.
private final class Responses: @unchecked Sendable {
    private var iterator: AsyncStream<SLUResponse>.Iterator
    init(_ iterator: AsyncStream<SLUResponse>.Iterator) { self.iterator = iterator }
    func next() async -> SLUResponse? { await iterator.next(isolation: nil) }
}
