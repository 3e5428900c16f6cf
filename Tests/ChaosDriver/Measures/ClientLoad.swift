import Foundation
import Speechly
import SpeechlyTesting

/// Many clients in one process while their server goes and comes back.
public enum ClientLoad {
    /// Runs and prints how they come back.
    ///
    /// - Returns: whether all did in time, spread out, and without their memory growing.
    public static func run(clients count: Int) async throws -> Bool {
        let server = try MockSpeechlyServer()
        let cache = ChaosCache()
        let identity = CachingIdentityClient(
            baseClient: IdentityClient(channel: try Channel(address: server.address)), cache: cache)
        let clients = try (0..<count).map { _ in
            try MeasuredClient(server.address, identity: identity, cache: cache) { $0.maximumReconnects = 100 }
        }
        for client in clients { client.client.startContext() }
        guard await Measure.wait(.seconds(60), { clients.allSatisfy(\.isListening) }) else {
            print("only \(clients.filter(\.isListening).count) of \(count) clients started")
            return false
        }
        let speaker = Task {
            while !Task.isCancelled {
                for client in clients { client.recorder.push([UInt8](repeating: 1, count: 640)) }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer { speaker.cancel() }
        let before = Measure.residentMegabytes
        var isGood = true
        for outage in [1, 3, 6] {
            server.setAcceptsConnections(false)
            server.dropConnections()
            try await Task.sleep(for: .seconds(outage))
            let known = server.received.streams.count
            let moment = ContinuousClock.now
            server.setAcceptsConnections(true)
            var arrivals: [(Double, Int)] = []
            let isBack = await Measure.wait(.seconds(20)) {
                arrivals.append(((.now - moment) / .milliseconds(1), server.received.streams.count - known))
                return clients.allSatisfy { $0.listening(after: moment) != nil }
            }
            let times = clients.compactMap { $0.listening(after: moment).map { ($0 - moment) / .milliseconds(1) } }
            var most = 0
            for (index, (time, total)) in arrivals.enumerated() {
                let earlier = arrivals[..<index].last { $0.0 <= time - 100 }?.1 ?? 0
                most = max(most, total - earlier)
            }
            print(
                String(
                    format: "%d clients, server away for %d s: %d back, median %.0f ms, p95 %.0f ms, last %.0f ms; "
                        + "at most %d in 100 ms; %.0f MB resident", count, outage, times.count,
                    Measure.percentile(times, 0.5), Measure.percentile(times, 0.95), times.max() ?? .nan, most,
                    Measure.residentMegabytes))
            isGood = isGood && isBack && (times.max() ?? .infinity) < 5000 && most <= 100
        }
        let failures = clients.reduce(0) { $0 + $1.failures.count }
        print(
            String(
                format: "%d errors; memory %.0f MB at first, %.0f MB at last", failures, before,
                Measure.residentMegabytes))
        return isGood && failures == 0
    }
}
