import Foundation
import Speechly
import SpeechlySync
import TestSupport
import XCTest

/// Three services with one key behind a client's list of addresses, one of them killed under load.
final class ReplicaTests: XCTestCase {
    private static let app = "11111111-1111-4111-8111-111111111111"
    private let repos = TestCases.url("speech/repos.sal").path

    private struct Replica {
        let tool: RunningTool
        let address: GRPCAddress
        let metrics: URL

        func hasLogin() throws -> Bool {
            try HTTP.get(metrics).contains("speechly_logins_total{code=\"OK\"}")
        }

        func value(_ name: String) throws -> Int {
            let text = try HTTP.get(metrics)
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return try XCTUnwrap(line.flatMap { Int($0.dropFirst(name.count + 1)) }, text)
        }
    }

    private func replicas(_ count: Int, home: TemporaryHome) throws -> [Replica] {
        let key = ["SPEECHLY_TOKEN_KEY": String(repeating: "0123456789abcdef", count: 4)]
        let tools = try (0..<count).map { _ in
            try RunningTool(["serve", repos, "--metrics", "0"], environment: key, home: home.url)
        }
        return try tools.map { tool in
            let address = try ServeProcessTests.address(tool)
            let line = try XCTUnwrap(tool.readLine())
            return Replica(
                tool: tool, address: address,
                metrics: try XCTUnwrap(URL(string: String(line.dropFirst("metrics on ".count)))))
        }
    }

    private func list(_ replicas: [Replica]) -> String {
        "grpc://" + replicas.map { "\($0.address.host):\($0.address.port)" }.joined(separator: ",")
    }

    private func token(_ channel: Channel) async throws -> String {
        let request = LoginRequest(
            deviceId: UUID().uuidString.lowercased(), scope: .application(ApplicationScope(appId: Self.app)))
        let response = try await channel.unary(
            path: "/speechly.identity.v2.IdentityAPI/Login", request: request.serializedBytes(),
            options: CallOptions(timeout: .seconds(60)))
        return try LoginResponse(serializedBytes: response.message).token
    }

    private func samples() throws -> [UInt8] {
        // Behind the header of 44 bytes, which these files have.
        Array(try Data(contentsOf: TestCases.url("speech/order-by-stars.slt.wav")).dropFirst(44))
    }

    /// Waits until streams are open on all replicas, `total` in all.
    private func openStreams(_ replicas: [Replica], total: Int) async throws -> [Int] {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let open = try replicas.map { try $0.value("speechly_streams_open") }
            if open.reduce(0, +) == total { return open }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw GRPCStatus(code: .deadlineExceeded, message: "not all streams were opened")
    }

    func testOnlyTheStreamsOfAKilledReplicaEnd() async throws {
        let home = try TemporaryHome()
        let replicas = try replicas(3, home: home)
        let channel = try Channel(address: GRPCAddress(addr: list(replicas)))
        defer { channel.close() }
        // Until all are connected. The last token is for all streams: each accepts those of the others.
        var token = ""
        let deadline = ContinuousClock.now + .seconds(60)
        repeat {
            token = try await self.token(channel)
        } while try !replicas.allSatisfy { try $0.hasLogin() } && ContinuousClock.now < deadline
        let audio = try samples()
        let streams = try (0..<18).map { _ in try ReplicaStream(channel: channel, token: token) }
        for stream in streams { try await stream.open(audio.prefix(audio.count / 2)) }
        let open = try await openStreams(replicas, total: streams.count)
        let victim = try XCTUnwrap(open.indices.max { open[$0] < open[$1] })
        XCTAssertLessThan(open[victim], streams.count, "all streams are on one replica: \(open)")
        replicas[victim].tool.signal(SIGKILL)
        _ = try replicas[victim].tool.finish()
        for stream in streams { try await stream.finish(audio.dropFirst(audio.count / 2)) }
        var lost = 0
        for stream in streams {
            let (words, status) = await stream.result()
            if status.isOk {
                XCTAssertEqual(words.joined(separator: " "), "order by stars")
            } else {
                XCTAssertEqual(status.code, .unavailable, "\(status)")
                lost += 1
            }
        }
        XCTAssertEqual(lost, open[victim])
        for (index, replica) in replicas.enumerated() where index != victim {
            replica.tool.signal(SIGTERM)
            XCTAssertEqual(try replica.tool.finish().status, 0)
        }
    }

    func testTheClientsOfAKilledReplicaGoOnAtTheOthers() async throws {
        let home = try TemporaryHome()
        let replicas = try replicas(3, home: home)
        let addresses = list(replicas)
        let clients = try (0..<9).map { number in
            var configuration = ClientConfiguration()
            configuration.cacheDirectory = home.url.appendingPathComponent("cache-\(number)")
            return try Client(
                appId: UUID(uuidString: Self.app), prepareOnInit: false, identityAddr: addresses, sluAddr: addresses,
                configuration: configuration)
        }
        let file = TestCases.url("speech/order-by-stars.slt.wav").path
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for client in clients {
                group.addTask {
                    let context = try await client.transcribe(AudioFile(path: file, realtime: true))
                    return context.segments.flatMap(\.transcripts).map(\.value).joined(separator: " ").lowercased()
                }
            }
            let open = try await openStreams(replicas, total: clients.count)
            let victim = try XCTUnwrap(open.indices.max { open[$0] < open[$1] })
            replicas[victim].tool.signal(SIGKILL)
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        XCTAssertEqual(texts, clients.map { _ in "order by stars" })
        for replica in replicas { replica.tool.signal(SIGKILL) }
    }
}

/// A stream that collects its words.
private final class ReplicaStream: Sendable {
    private let call: BidirectionalCall
    private let results: AsyncStream<Result<String, GRPCStatus>>

    init(channel: Channel, token: String) throws {
        let (stream, continuation) = AsyncStream<Result<String, GRPCStatus>>.makeStream()
        results = stream
        var options = CallOptions(timeout: .seconds(120))
        options.metadata["authorization"] = "Bearer \(token)"
        call = try BidirectionalCall(channel: channel, path: "/speechly.slu.v1.SLU/Stream", options: options) { event in
            switch event {
            case .message(let bytes):
                if case .transcript(let word)? = (try? SLUResponse(serializedBytes: bytes))?.streamingResponse {
                    continuation.yield(.success(word.word.lowercased()))
                }
            case .end(let status):
                continuation.yield(.failure(status))
                continuation.finish()
            case .initialMetadata, .writable: break
            }
        }
    }

    private func send(_ request: SLURequest.StreamingRequest) async throws {
        do {
            try await call.sendWhenWritable(SLURequest(streamingRequest: request).serializedBytes())
        } catch is GRPCStatus {
            // Its replica is gone; the status says so.
        }
    }

    private func send(audio: ArraySlice<UInt8>) async throws {
        for start in stride(from: audio.startIndex, to: audio.endIndex, by: 3_200) {
            try await send(.audio(Array(audio[start..<min(start + 3_200, audio.endIndex)])))
        }
    }

    func open(_ audio: ArraySlice<UInt8>) async throws {
        try await send(.config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
        try await send(.start(SLUStart()))
        try await send(audio: audio)
    }

    func finish(_ audio: ArraySlice<UInt8>) async throws {
        try await send(audio: audio)
        try await send(.stop(SLUStop()))
        call.closeSend()
    }

    func result() async -> (words: [String], status: GRPCStatus) {
        var words: [String] = []
        for await result in results {
            switch result {
            case .success(let word): words.append(word)
            case .failure(let status): return (words, status)
            }
        }
        return (words, GRPCStatus(code: .unknown))
    }
}
