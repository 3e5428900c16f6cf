import Foundation
import Speechly
import SpeechlyTesting

/// Continuous speech while the server is killed every two seconds.
public enum ClientKills {
    /// Runs for so many seconds and prints what was heard.
    ///
    /// - Returns: whether every word was heard once, and the client was back quickly.
    public static func run(seconds: Int) async throws -> Bool {
        let wordBytes = 32_000
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 3))
        let proxy = try FaultProxy(to: server.address)
        let cache = ChaosCache()
        let identity = CachingIdentityClient(
            baseClient: IdentityClient(channel: try Channel(address: server.address)), cache: cache)
        let measured = try MeasuredClient(proxy.address, identity: identity, cache: cache)
        measured.client.startContext()
        let speaker = Task {
            let start = ContinuousClock.now
            for chunk in 0..<seconds * 10 {
                try await Task.sleep(until: start + .milliseconds(100 * chunk), clock: .continuous)
                // A word a second, in ten chunks.
                let word = chunk / 10
                let bytes: [UInt8] =
                    chunk % 10 == 0
                    ? [UInt8(word & 0xFF), UInt8(word >> 8)] + [UInt8](repeating: 0x22, count: 3198)
                    : [UInt8](repeating: 0x22, count: 3200)
                measured.recorder.push(bytes)
            }
        }
        var random = ChaosRandom(seed: 5)
        var back: [Double] = []
        var kills = 0
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(seconds - 2) {
            try await Task.sleep(until: start + .seconds(2 * (kills + 1)), clock: .continuous)
            kills += 1
            proxy.setListening(false)
            proxy.resetConnections()
            try await Task.sleep(for: .milliseconds(random.int(50...1000)))
            let moment = ContinuousClock.now
            proxy.setListening(true)
            _ = await Measure.wait(.milliseconds(900)) { measured.listening(after: moment) != nil }
            if let at = measured.listening(after: moment) { back.append((at - moment) / .milliseconds(1)) }
        }
        try await speaker.value
        measured.client.stopContext()
        _ = await Measure.wait(.seconds(20)) { measured.final != nil }
        let expected = (0..<seconds).map { "w\($0)" }
        let heard = measured.words
        let missing = expected.filter { !heard.contains($0) }
        let doubled = heard.count - Set(heard).count
        let p95 = Measure.percentile(back, 0.95)
        print(
            "server killed \(kills) times in \(seconds) s: \(heard.count) of \(expected.count) words, "
                + "\(missing.count) missing, \(doubled) doubled, in order: \(heard == expected ? "yes" : "no"), "
                + "\(measured.failures.count) errors")
        print(
            String(
                format: "back after the server: %d of %d times seen, median %.0f ms, p95 %.0f ms", back.count, kills,
                Measure.percentile(back, 0.5), p95))
        return heard == expected && measured.failures.isEmpty && p95 < 500
    }
}
