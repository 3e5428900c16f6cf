import Foundation
import Speechly
import SpeechlyService

/// A service with one decoding thread under streams at real time, as microphones send them.
struct Load {
    var streams: Int
    /// Seconds from stop to the last result of each context.
    var latencies: [Double] = []
    /// Memory of the process that each stream added, in megabytes.
    var megabytes = 0.0
    var exact = Share()

    var p95: Double { latencies.sorted().dropFirst(latencies.count * 95 / 100).first ?? .infinity }

    /// Every stream says some of the utterances one after another.
    static func run(
        _ evaluation: Evaluation, streams: Int, rounds: Int, folder: URL
    ) async throws -> Load {
        let spoken = try evaluation.utterances(streams * rounds).enumerated().map { number, words in
            (words, try evaluation.speaker.samples(of: words.joined(separator: " "), voice: Voice.allCases[number % 6]))
        }
        var configuration = ServiceConfiguration(sal: evaluation.sal)
        configuration.decodingThreads = 1
        configuration.maximumRecognizers = streams
        let service = try EmbeddedService(configuration: configuration)
        let address = try GRPCAddress(unixPath: folder.appendingPathComponent("load").path)
        try service.start(listen: [address])
        let channel = try Channel(address: address)
        let token = try await IdentityClient(channel: channel).authenticate(appId: UUID(), deviceId: UUID()).tokenString
        var load = Load(streams: streams)
        // One context makes what all share, and the first recogniser.
        _ = try await Session(channel: channel, token: token).context(spoken[0].1, pace: nil)
        let before = residentMegabytes()
        var all: [Session] = []
        for _ in 0..<streams { all.append(try await Session(channel: channel, token: token)) }
        // All at once and flat out, so that every stream has its recogniser before time is taken.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for session in all { group.addTask { _ = try await session.context(spoken[0].1, pace: .milliseconds(20)) } }
            try await group.waitForAll()
        }
        load.megabytes = (residentMegabytes() - before) / Double(max(1, streams - 1))
        let results = try await withThrowingTaskGroup(of: [(Int, Session.Result)].self) { group in
            for (number, session) in all.enumerated() {
                group.addTask {
                    // People do not begin at the same moment.
                    try await Task.sleep(for: .milliseconds(number * 97 % 1_000))
                    var results: [(Int, Session.Result)] = []
                    for round in 0..<rounds {
                        let index = (number + round * streams) % spoken.count
                        results.append((index, try await session.context(spoken[index].1, pace: .milliseconds(100))))
                    }
                    return results
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for (index, result) in results {
            load.latencies.append(result.afterStop / .seconds(1))
            load.exact.count(result.words == spoken[index].0)
        }
        service.kill()
        return load
    }
}

/// What this process has in memory.
func residentMegabytes() -> Double {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6 : 0
}
