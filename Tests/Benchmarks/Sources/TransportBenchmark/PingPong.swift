import Dispatch
import Speechly
import SpeechlyGRPC
import SpeechlyProto

/// One chunk up, one tentative transcript down, again and again, sent from where the answer arrives.
final class PingPong: @unchecked Sendable {
    // Sendable: after the start, touched only where answers arrive, one at a time.
    private let rounds: Int
    private let warmup: Int
    private var done = 0
    private var sentAt = 0.0
    private var cpu = 0.0
    private var times: [Double] = []
    private let finished = DispatchSemaphore(value: 0)
    var send: () -> Void = {}

    init(rounds: Int) {
        self.rounds = rounds
        warmup = rounds / 10
        times.reserveCapacity(rounds)
    }

    func begin() {
        sentAt = Measures.now()
        send()
    }

    func answered() {
        let now = Measures.now()
        if done >= warmup { times.append(now - sentAt) }
        done += 1
        if done == warmup { cpu = Measures.cpuMicroseconds() }
        if done == warmup + rounds {
            cpu = (Measures.cpuMicroseconds() - cpu) / Double(rounds)
            finished.signal()
            return
        }
        sentAt = Measures.now()
        send()
    }

    private func report() throws {
        guard finished.wait(timeout: .now() + 120) == .success else {
            throw Bench.Failure(description: "the answers stopped coming")
        }
        times.sort()
        try Measures.report([
            "p50": Measures.percentile(times, 0.5), "p99": Measures.percentile(times, 0.99), "cpu": cpu,
        ])
    }

    /// Through a call of the transport: bytes up, bytes down.
    static func runCall(_ address: GRPCAddress, rounds: Int) throws {
        let pingPong = PingPong(rounds: rounds)
        var request = ProtoWriter()
        Measures.audio.withUnsafeBytes { SLURequest.encodeAudio($0, into: &request) }
        let bytes = request.withUnsafeBytes { [UInt8]($0) }
        let started = DispatchSemaphore(value: 0)
        let call = try BidirectionalCall(channel: Channel(address: address), path: BenchServer.path) { event in
            guard case .message(let message) = event else { return }
            if message.count < 100 { started.signal() } else { pingPong.answered() }
        }
        _ = call.send(SLURequest(streamingRequest: .config(SLUConfig(channels: 1))).serializedBytes())
        _ = call.send(SLURequest(streamingRequest: .start(SLUStart())).serializedBytes())
        guard started.wait(timeout: .now() + 10) == .success else {
            throw Bench.Failure(description: "the server at \(address) did not start the context within 10 s")
        }
        pingPong.send = { _ = call.send(bytes) }
        pingPong.begin()
        try pingPong.report()
        call.cancel()
    }

    /// Through the SLU client to its delegate: decoded messages on the delegate's queue.
    static func runClient(_ address: GRPCAddress, rounds: Int) async throws {
        let pingPong = PingPong(rounds: rounds)
        let client = SluClient(channel: try Channel(address: address))
        let delegate = Delegate(pingPong)
        client.delegate = delegate
        try await client.connect(token: Bench.token(), config: SluConfig(sampleRate: 16000, channels: 1))
        try await client.startContext(appId: nil)
        delegate.waitForStart()
        pingPong.send = {
            Measures.audio.withUnsafeBytes { audio in _ = try? client.send(audio: audio) }
        }
        pingPong.begin()
        try pingPong.report()
        try await client.suspend()
    }

    private final class Delegate: SluClientDelegate, @unchecked Sendable {
        // Sendable: nothing changes after the initialiser.
        private let pingPong: PingPong
        private let started = DispatchSemaphore(value: 0)

        init(_ pingPong: PingPong) { self.pingPong = pingPong }

        func waitForStart() { started.wait() }

        func sluClientDidReceiveContextStart(_ sluClient: SluClientProtocol, contextId: String) { started.signal() }

        func sluClientDidReceiveTentativeTranscript(
            _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: TentativeTranscript
        ) {
            precondition(transcript.tentativeWords.count == 12)
            pingPong.answered()
        }
    }
}
