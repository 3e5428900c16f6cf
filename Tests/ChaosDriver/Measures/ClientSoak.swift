import Foundation
import Speechly

/// Clients among faults for a long time.
public enum ClientSoak {
    /// Runs for so many seconds, and prints memory, threads and descriptors once a minute.
    ///
    /// - Returns: whether nothing broke and nothing grew.
    public static func run(seconds: Int) async throws -> Bool {
        let start = ContinuousClock.now
        var total: ChaosReport?
        var seed: UInt64 = 1
        var memory: [Double] = []
        var lastLine = start
        func line() {
            print(
                String(
                    format: "%5d s: %d sessions, %d violations; %.0f MB resident, %d threads, %d descriptors",
                    Int((ContinuousClock.now - start) / .seconds(1)), total?.sessions ?? 0,
                    total?.violations.count ?? 0, Measure.residentMegabytes, Measure.count("/proc/self/task"),
                    Measure.count("/proc/self/fd")))
        }
        while ContinuousClock.now - start < .seconds(seconds) {
            let report = try await ChaosDriver(seed: seed, sessions: 500).run()
            if total == nil { total = report } else { total?.add(report) }
            seed += 1
            memory.append(Measure.residentMegabytes)
            if ContinuousClock.now - lastLine >= .seconds(60) {
                line()
                lastLine = .now
            }
        }
        line()
        if let total { print(total.text) }
        // Compared with the first third, when every pool has its size.
        let settled = memory[memory.count / 3]
        let last = memory.last ?? 0
        print(String(format: "memory: %.0f MB after a third of the time, %.0f MB at the end", settled, last))
        return total?.violations.isEmpty == true && last < settled * 1.2 + 20
    }
}
