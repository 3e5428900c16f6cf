import Foundation
import Speechly
import SpeechlyTesting

/// Many clients in one process while their server goes and comes back.
public enum ClientLoad {
    /// Runs and prints how they come back.
    ///
    /// - Parameters:
    ///   - count: how many clients.
    ///   - restarts: how often the server goes; for one, three and six seconds in turn.
    /// - Returns: whether all did in time, spread out, and without their memory growing.
    public static func run(clients count: Int, restarts: Int = 10) async throws -> Bool {
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
                for client in clients { client.recorder.push([UInt8](repeating: 1, count: 64)) }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer { speaker.cancel() }
        print(String(format: "%d clients listen; %.0f MB resident", count, Measure.residentMegabytes))
        var isGood = true
        var memory: [Double] = []
        for restart in 0..<restarts {
            let outage = [1, 3, 6][restart % 3]
            server.setAcceptsConnections(false)
            server.dropConnections()
            try await Task.sleep(for: .seconds(outage))
            let moment = ContinuousClock.now
            server.setAcceptsConnections(true)
            let isBack = await Measure.wait(.seconds(20)) {
                clients.allSatisfy { $0.listening(after: moment) != nil }
            }
            let times = clients.compactMap { $0.listening(after: moment).map { ($0 - moment) / .milliseconds(1) } }
            let connects = server.connectionTimes.filter { $0 >= moment }.map { ($0 - moment) / .milliseconds(1) }
            let most = mostWithin(100, connects)
            // What a context may keep, and the server's record of it, end with it: what is left is to be compared.
            for client in clients { client.client.stopContext() }
            let hasStopped = await Measure.wait(.seconds(20)) { clients.allSatisfy { $0.client.state == .connected } }
            for client in clients { client.client.startContext() }
            let hasStarted = await Measure.wait(.seconds(20)) { clients.allSatisfy(\.isListening) }
            for client in clients { client.forgetChanges() }
            server.forgetEndedStreams()
            memory.append(Measure.allocatedMegabytes)
            print(
                String(
                    format: "server away for %d s: %d back, median %.0f ms, p95 %.0f ms, last %.0f ms; "
                        + "%d connections, at most %d in 100 ms; %.0f MB in use, %.0f MB resident, %d threads, %d descriptors",
                    outage,
                    times.count, Measure.percentile(times, 0.5), Measure.percentile(times, 0.95),
                    times.max() ?? .nan, connects.count, most, Measure.allocatedMegabytes,
                    Measure.residentMegabytes,
                    Measure.count("/proc/self/task"), Measure.count("/proc/self/fd")))
            isGood = isGood && isBack && hasStopped && hasStarted && (times.max() ?? .infinity) < 5000 && most <= 100
        }
        let failures = clients.reduce(0) { $0 + $1.failures.count }
        // Compared with the third restart, when every pool has its size.
        let settled = memory.dropFirst(2).first ?? .nan
        print(
            String(
                format: "%d errors; %.0f MB in use after the third restart, %.0f MB at last", failures, settled,
                memory.last ?? .nan))
        return isGood && failures == 0 && (memory.count < 4 || (memory.last ?? .infinity) < settled * 1.05 + 5)
    }

    /// The largest number of moments within so many milliseconds.
    static func mostWithin(_ span: Double, _ moments: [Double]) -> Int {
        let sorted = moments.sorted()
        var first = 0
        var most = 0
        for (index, moment) in sorted.enumerated() {
            while sorted[first] <= moment - span { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
