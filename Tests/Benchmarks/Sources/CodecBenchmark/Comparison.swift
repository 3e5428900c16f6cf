import Glibc
import SpeechlyProto

/// Measures both sides and says whether the targets are met.
struct Comparison {
    private let rounds = 41
    private let iterations: UInt64 = 20_000
    private(set) var missed = false

    private mutating func report(_ name: String, ours: Double, peer: Double, target: Double?, isWithin: Bool) {
        func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let verdict = target.map { "target<=\(text($0)) \(isWithin ? "PASS" : "FAIL")" } ?? "(not a target)"
        print("\(name): ours=\(text(ours))ns peer=\(text(peer))ns ratio=\(text(ours / peer)) \(verdict)")
        if target != nil && !isWithin { missed = true }
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Runs both sides in turns; nanoseconds per operation, medians of all rounds.
    private func measure(_ ours: () throws -> UInt64, _ peer: () throws -> UInt64) rethrows -> (
        ours: Double, peer: Double
    ) {
        var results: [(Double, Double)] = []
        for round in 0...rounds {
            let first = try ours()
            let second = try peer()
            if round > 0 { results.append((Double(first) / Double(iterations), Double(second) / Double(iterations))) }
        }
        return (median(results.map(\.0)), median(results.map(\.1)))
    }

    mutating func compareWithPeer(_ peer: Peer) throws {
        for (name, message) in [
            ("tentative transcript of 12 words", Messages.tentative), ("final word", Messages.word),
        ] {
            let bytes = message.serializedBytes()
            let sized = "\(name) (\(bytes.count) B)"
            for (other, operation) in [
                ("fresh", Peer.Operation.decodeFresh), ("arena", .decodeArena), ("reused", .decodeReused),
            ] {
                let result = try measure(
                    { try Ours.decode(bytes, iterations: iterations) },
                    { try peer(operation, bytes, iterations: iterations) }
                )
                report(
                    "decode \(sized), peer \(other)", ours: result.ours, peer: result.peer,
                    target: operation == .decodeFresh ? 0.8 : nil, isWithin: result.ours <= 0.8 * result.peer
                )
            }
            let reused = try measure(
                { Ours.encodeReused(message, iterations: iterations) },
                { try peer(.encodeReused, bytes, iterations: iterations) }
            )
            report(
                "encode \(sized), reused buffers", ours: reused.ours, peer: reused.peer, target: 0.8,
                isWithin: reused.ours <= 0.8 * reused.peer
            )
            let fresh = try measure(
                { Ours.encodeFresh(message, iterations: iterations) },
                { try peer(.encodeFresh, bytes, iterations: iterations) }
            )
            report(
                "encode \(sized), new array and string", ours: fresh.ours, peer: fresh.peer, target: 0.8,
                isWithin: fresh.ours <= 0.8 * fresh.peer
            )
        }

        var writer = ProtoWriter(minimumCapacity: 4096)
        let audio = try measure(
            { Ours.encodeAudio(Messages.audio, writer: &writer, iterations: iterations) },
            { try peer(.memcpy, Messages.audio, iterations: iterations) }
        )
        let limit = 1.2 + 100 / audio.peer
        report(
            "encode audio request of 3200 B, peer memcpy, target 1.2 x memcpy + 100 ns", ours: audio.ours,
            peer: audio.peer, target: limit, isWithin: audio.ours <= limit * audio.peer
        )
    }

    mutating func countAllocations() throws {
        typealias Count = @convention(c) () -> UInt64
        guard let symbol = dlsym(nil, "malloc_hook_count") else {
            throw Peer.Failure(description: "the malloc hook is not preloaded")
        }
        let count = unsafeBitCast(symbol, to: Count.self)
        func allocations(_ operation: () throws -> Void) rethrows -> Double {
            try operation()
            let before = count()
            for _ in 0..<100 { try operation() }
            return Double(count() - before) / 100
        }

        var writer = ProtoWriter(minimumCapacity: 4096)
        let audio = allocations { _ = Ours.encodeAudio(Messages.audio, writer: &writer, iterations: 1) }
        print(
            "allocations, encode audio request into a reused buffer: ours=\(audio) target<=0 \(audio == 0 ? "PASS" : "FAIL")"
        )
        if audio > 0 { missed = true }
        for (name, message) in [
            ("tentative transcript of 12 words", Messages.tentative), ("final word", Messages.word),
        ] {
            let bytes = message.serializedBytes()
            let decoding = try allocations { _ = try Ours.decode(bytes, iterations: 1) }
            let encoding = allocations { _ = Ours.encodeFresh(message, iterations: 1) }
            print("allocations, \(name): decode=\(decoding) encode into a new array=\(encoding) (not a target)")
        }
    }
}
