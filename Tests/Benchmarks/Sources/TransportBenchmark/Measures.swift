import Foundation

/// What a process can say about itself.
enum Measures {
    /// Processor time of this process so far, in microseconds.
    static func cpuMicroseconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    /// Monotonic time in microseconds.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// Memory in use now, in bytes, and the number of threads.
    static func memoryAndThreads() throws -> (memory: Int, threads: Int) {
        var memory = 0
        var threads = 0
        for line in try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n") {
            let number = Int(line.filter(\.isNumber)) ?? 0
            if line.hasPrefix("VmRSS:") { memory = number * 1024 }
            if line.hasPrefix("Threads:") { threads = number }
        }
        return (memory, threads)
    }

    static func percentile(_ sorted: [Double], _ fraction: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
    }

    static func median(_ values: [Double]) -> Double { percentile(values.sorted(), 0.5) }

    static let audio = [UInt8](repeating: 1, count: 3200)

    static func report(_ pairs: KeyValuePairs<String, Double>) throws {
        print(pairs.map { "\($0.key)=\(String(format: "%.3f", $0.value))" }.joined(separator: " "))
        try StandardOutput.flush()
    }
}

enum StandardOutput {
    struct Failure: Error {}

    static func flush() throws { if fflush(nil) != 0 { throw Failure() } }
}
