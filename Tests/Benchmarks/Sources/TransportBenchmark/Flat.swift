import Foundation
import Speechly
import SpeechlyGRPC
import SpeechlyProto

/// Many streams that send as fast as backpressure lets them.
enum Flat {
    static func run(_ address: GRPCAddress, streams: Int, seconds: Double) async throws {
        let channel = try Channel(address: address)
        try await channel.waitUntilReady()
        let before = try Measures.memoryAndThreads().memory
        let begin = Measures.now()
        let end = begin + seconds * 1e6
        let chunks = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<streams { group.addTask { try await send(on: channel, until: end) } }
            // The highest use of memory while everything is under way.
            try await Task.sleep(for: .seconds(seconds * 0.8))
            let memory = try Measures.memoryAndThreads().memory
            try Measures.report(["memory": Double(memory - before)])
            return try await group.reduce(0, +)
        }
        try Measures.report(["rate": Double(chunks) / ((Measures.now() - begin) / 1e6)])
        channel.close()
    }

    private static func send(on channel: Channel, until end: Double) async throws -> Int {
        var request = ProtoWriter()
        Measures.audio.withUnsafeBytes { SLURequest.encodeAudio($0, into: &request) }
        let bytes = request.withUnsafeBytes { [UInt8]($0) }
        let (answers, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
        let call = try BidirectionalCall(
            channel: channel, path: BenchServer.path, options: CallOptions(metadata: ["bench-sink": "1"])
        ) { event in
            switch event {
            case .message: continuation.yield()
            case .end(let status): continuation.finish(throwing: status.isOk ? nil : status)
            case .initialMetadata, .writable: break
            }
        }
        var answer = answers.makeAsyncIterator()
        try await call.sendWhenWritable(SLURequest(streamingRequest: .config(SLUConfig(channels: 1))).serializedBytes())
        try await call.sendWhenWritable(SLURequest(streamingRequest: .start(SLUStart())).serializedBytes())
        _ = try await answer.next()
        var chunks = 0
        while Measures.now() < end {
            try await call.sendWhenWritable(bytes)
            chunks += 1
        }
        try await call.sendWhenWritable(SLURequest(streamingRequest: .stop(SLUStop())).serializedBytes())
        // The server answers when it has taken everything.
        _ = try await answer.next()
        call.cancel()
        return chunks
    }
}
