import Foundation
import Speechly
import SpeechlyGRPC
import SpeechlyProto

/// Many streams at the pace of speech: ten chunks a second each, in one process.
enum RealTime {
    private final class Delegate: SluClientDelegate, @unchecked Sendable {
        // Sendable: touched only on the one delegate queue and, before and after, by the one who made it.
        var due: [Double] = []
        var next = 0
        var lateness: [Double] = []
        var isStarted = false

        func sluClientDidReceiveContextStart(_ sluClient: SluClientProtocol, contextId: String) { isStarted = true }

        func sluClientDidReceiveTentativeTranscript(
            _ sluClient: SluClientProtocol, contextId: String, segmentId: Int, transcript: TentativeTranscript
        ) {
            lateness.append(Measures.now() - due[next])
            next += 1
        }
    }

    private final class Halfway: @unchecked Sendable {
        // Sendable: written by the sending thread, read when that has finished.
        var value: (memory: Int, threads: Int)?
    }

    static func run(_ address: GRPCAddress, streams: Int, seconds: Int) async throws {
        let channel = try Channel(address: address)
        let queue = DispatchQueue(label: "bench.delegate")
        let token = try Bench.token()
        let config = SluConfig(sampleRate: 16000, channels: 1)

        func open() async throws -> (SluClient, Delegate) {
            let client = SluClient(channel: channel, delegateQueue: queue)
            let delegate = Delegate()
            client.delegate = delegate
            try await client.connect(token: token, config: config)
            try await client.startContext(appId: nil)
            return (client, delegate)
        }

        // One stream first, so that what a process needs once is not counted as a stream's.
        var all = [try await open()]
        Measures.audio.withUnsafeBytes { audio in
            all[0].1.due = [Measures.now()]
            _ = try? all[0].0.send(audio: audio)
        }
        try await Task.sleep(for: .milliseconds(200))
        let before = try Measures.memoryAndThreads()
        for _ in 1..<streams { all.append(try await open()) }
        while !(queue.sync { all.allSatisfy(\.1.isStarted) }) { try await Task.sleep(for: .milliseconds(10)) }

        let count = seconds * 10
        let begin = Measures.now() + 100_000
        // A tenth of a second is divided among the streams.
        queue.sync {
            for (index, (_, delegate)) in all.enumerated() {
                delegate.next = 0
                delegate.lateness = []
                delegate.lateness.reserveCapacity(count)
                delegate.due = (0..<count).map { begin + (Double($0) + Double(index) / Double(streams)) * 100_000 }
            }
        }
        let clients = all.map(\.0)
        let dues = all.map(\.1.due)
        let halfway = Halfway()
        let sender = Thread {
            for round in 0..<count {
                for (index, client) in clients.enumerated() {
                    let wait = dues[index][round] - Measures.now()
                    if wait > 0 { usleep(UInt32(wait)) }
                    Measures.audio.withUnsafeBytes { audio in _ = try? client.send(audio: audio) }
                }
                if round == count / 2 { halfway.value = try? Measures.memoryAndThreads() }
            }
        }
        sender.start()
        while !sender.isFinished { try await Task.sleep(for: .milliseconds(50)) }
        // Late answers are waited for, for a while.
        for _ in 0..<100 where queue.sync(execute: { all.contains { $0.1.next < count } }) {
            try await Task.sleep(for: .milliseconds(100))
        }

        let lateness = queue.sync { all.flatMap(\.1.lateness) }.sorted()
        let after = halfway.value ?? before
        // Less the room for the measured times.
        let memory = after.memory - before.memory - streams * count * 16
        try Measures.report([
            "answers": Double(lateness.count) / Double(streams * count),
            "p99": Measures.percentile(lateness, 0.99) / 1000, "max": (lateness.last ?? 0) / 1000,
            "memory": Double(memory) / Double(streams), "threads": Double(after.threads - before.threads - 1),
        ])
        channel.close()
    }
}
