import Foundation
import Speechly
import SpeechlySync
import SpeechlyTesting
import TestSupport

/// Runs sessions of clients among faults, many at a time, and checks what must always hold.
///
/// Everything a session does follows from its own seed, which follows from the run's and its number; when things
/// happen does not, so that a seed that has found something is worth running many times.
public struct ChaosDriver: Sendable {
    /// The seed of the run.
    public var seed: UInt64
    /// How many sessions.
    public var sessions: Int
    /// How many at a time.
    public var workers: Int
    /// What is broken on purpose.
    public var sabotage: ChaosSabotage?
    /// Of a hundred sessions, how many are over TLS.
    public var tlsPercent = 3
    /// The one kind of fault that is put in the way; `nil` for all.
    public var only: ChaosFault?

    /// A driver.
    public init(seed: UInt64, sessions: Int, workers: Int = 24, sabotage: ChaosSabotage? = nil) {
        self.seed = seed
        self.sessions = sessions
        self.workers = max(1, min(workers, sessions))
        self.sabotage = sabotage
    }

    /// The seed of a session of the run.
    public func sessionSeed(_ number: Int) -> UInt64 {
        var random = ChaosRandom(seed: seed &+ UInt64(bitPattern: Int64(number)) &* 0xD1B5_4A32_D192_ED03)
        return random.next()
    }

    /// Runs all sessions.
    ///
    /// - Parameter progress: called with the number of sessions done, now and then.
    public func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> ChaosReport {
        try await run((0..<sessions).map(sessionSeed), progress: progress)
    }

    /// Runs the sessions of these seeds.
    public func run(
        _ seeds: [UInt64], progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> ChaosReport {
        let certificates = try Certificates.shared.get()
        let before = try await warmUp(certificates)
        let next = Locked(0)
        let total = Locked(ChaosReport(seed: seed))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(workers, seeds.count) {
                group.addTask { [self] in
                    let worker = ChaosWorker(driver: self, certificates: certificates)
                    while true {
                        let number = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard number < seeds.count else { break }
                        let report = try await worker.run(seeds[number])
                        let done = total.withLock { total in
                            total.add(report)
                            return total.sessions
                        }
                        if done % 500 == 0 { progress(done) }
                    }
                    let rest = worker.close()
                    total.withLock { $0.add(rest) }
                }
            }
            try await group.waitForAll()
        }
        var report = total.withLock { $0 }
        // What ends does so without being waited for.
        for _ in 0..<200 where !Self.isClean(before, Self.resources()) { try await Task.sleep(for: .milliseconds(50)) }
        let after = Self.resources()
        if !Self.isClean(before, after) {
            report.violations.append(
                .init(
                    session: 0,
                    what: "left behind: \(after.descriptors - before.descriptors) descriptors, "
                        + "\(after.threads - before.threads) threads; \(Self.descriptors())"))
        }
        return report
    }

    /// Runs a few sessions that do not count: what the runtime and libgrpc make once and keep is there then.
    private func warmUp(_ certificates: Certificates) async throws -> Resources {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<workers {
                var driver = self
                driver.only = number % 4 == 0 ? .slowTLS : .delay
                driver.sabotage = nil
                group.addTask { [driver] in
                    let worker = ChaosWorker(driver: driver, certificates: certificates)
                    _ = try await worker.run(driver.sessionSeed(-1 - number))
                    _ = worker.close()
                }
            }
            try await group.waitForAll()
        }
        var last = Self.resources()
        var quiet = 0
        for _ in 0..<200 where quiet < 20 {
            try await Task.sleep(for: .milliseconds(50))
            let now = Self.resources()
            quiet = now.descriptors == last.descriptors ? quiet + 1 : 0
            last = now
        }
        return last
    }

    private static func isClean(_ before: Resources, _ after: Resources) -> Bool {
        // The pools of threads of the runtime and of libgrpc grow with the load, up to a size of their own.
        after.descriptors <= before.descriptors && after.threads <= before.threads + 40
    }

    /// What the descriptors are, by kind.
    private static func descriptors() -> String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let targets = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        let kinds = Dictionary(grouping: targets) { String($0.prefix { $0 != "[" && !$0.isNumber }) }
        return kinds.map { "\($0.key) \($0.value.count)" }.sorted().joined(separator: ", ")
    }

    private struct Resources {
        let descriptors: Int
        let threads: Int
    }

    private static func resources() -> Resources {
        func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        return Resources(descriptors: count("/proc/self/fd"), threads: count("/proc/self/task"))
    }
}
