import Foundation
import Speechly
import SpeechlyTesting

// `measure SECONDS` runs all, `numbers` what takes little time, `loss SECONDS` only what is to lose nothing; `serve`, `play` and `burn` are processes
// that they start.
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "serve":
    let server = try MockSpeechlyServer()
    FileHandle.standardOutput.write(Data("\(server.address)\n".utf8))
    // What has come since the last time, whenever asked. A long recording is several contexts.
    var seen = 0
    while readLine() != nil {
        let contexts = server.received.contexts.dropFirst(seen)
        seen += contexts.count
        let audio = Data(contexts.flatMap(\.audio))
        FileHandle.standardOutput.write(try JSONEncoder().encode(NumberedSignal.examine(audio)) + Data("\n".utf8))
    }
    server.stop()
case "play":
    NumberedSignal.play()
case "burn":
    // Ends with whoever started it.
    let parent = getppid()
    while getppid() == parent { for _ in 0..<1_000_000 where getpid() == 0 { exit(1) } }
case "measure":
    try await measure(lossSeconds: Double(arguments.dropFirst().first ?? "") ?? 600)
case "numbers":
    try await measure(lossSeconds: 0)
case "loss":
    let server = try Child(["serve"])
    exit(try await loss(seconds: Double(arguments.dropFirst().first ?? "") ?? 600, server) ? 0 : 1)
default:
    print("usage: CaptureBenchmark measure SECONDS|numbers|loss SECONDS")
    exit(2)
}

func measure(lossSeconds: Double) async throws {
    var failures: [String] = []
    func check(_ name: String, _ value: Double, limit: Double, unit: String) {
        let text = String(format: "%.3f", value)
        print("\(name): \(text) \(unit) (limit \(limit))\(value < limit ? "" : "  MISSED")")
        if value >= limit { failures.append(name) }
    }

    let server = try Child(["serve"])
    guard let address = server.address else { throw CocoaError(.fileReadUnknown) }
    let own = try await capture(seconds: 30, address: address)
    let arecord = try await cpuOfArecord(seconds: 30)
    let plain = try await capture(seconds: 20, address: address, device: "plain")
    let latencies = own.latencies.sorted()
    guard latencies.count > 500 else { throw CocoaError(.fileReadUnknown) }
    print("chunks of 30 ms: \(latencies.count); p50 \(milliseconds(latencies[latencies.count / 2])) ms")
    check(
        "wake-up to sent, p99", milliseconds(latencies[latencies.count * 99 / 100]), limit: 10, unit: "ms")
    print(String(format: "CPU: own %.2f %%, arecord %.2f %% of a core", own.cpu * 100, arecord * 100))
    print(String(format: "CPU without a sound server: own %.2f %% of a core, all in all", plain.cpu * 100))
    check("CPU beyond arecord", (own.cpu - arecord) * 100, limit: 1, unit: "% of a core")
    let (meter, vad) = costs()
    check("level meter", meter * 100, limit: 0.1, unit: "% of a core")
    check("voice activity", vad * 100, limit: 0.1, unit: "% of a core")

    if lossSeconds > 0, try await !loss(seconds: lossSeconds, server) { failures.append("no sample lost") }
    server.end()
    if !failures.isEmpty {
        print("missed: \(failures.joined(separator: ", "))")
        exit(1)
    }
}

/// Captures while all cores are busy, beside arecord on the same device. Returns whether everything that the device
/// had has come to the service, or was reported.
func loss(seconds: Double, _ server: Child) async throws -> Bool {
    guard let address = server.address, server.ask() != nil else { throw CocoaError(.fileReadUnknown) }
    let player = try Player()
    try await Task.sleep(for: .seconds(1))
    let burners = try (0..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map { _ in try Child(["burn"]) }
    let arecord = try Arecord(recording: true)
    let busy = try await capture(seconds: seconds, address: address)
    let peer = arecord.end()
    burners.forEach { $0.end() }
    player.end()
    guard let own = server.ask() else { throw CocoaError(.fileReadUnknown) }
    let reported = busy.lost.duration / .seconds(1)
    print(String(format: "with %d busy processes, %.2f s from start to stop", burners.count, busy.total))
    print("  at the service: \(own.description)")
    print(String(format: "  reported: %d gaps of %.3f s", busy.lost.gaps, reported))
    print("  arecord: \(peer.description)")
    // The null sink has played up to two seconds in advance when a recording begins.
    let isWhole = own.length > busy.total - 2.5 && own.missing < reported + 0.001
    print("  \(isWhole ? "nothing is missing that was not reported" : "MISSED")")
    return isWhole
}

func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e6 }

/// The processor time of 60 s of audio in the level meter and in the detector, as shares of real time.
func costs() -> (meter: Double, vad: Double) {
    let seconds = 600
    let chunk = Data((0..<480).flatMap { index in [UInt8(truncatingIfNeeded: index &* 7), UInt8(index % 40)] })
    let chunks = seconds * 1_000 / 30
    var meter = LevelMeter(sampleRate: 16_000)
    var levels = 0
    let start = processorTime()
    for _ in 0..<chunks { meter.process(chunk) { _ in levels += 1 } }
    let middle = processorTime()
    var gate = VoiceActivityGate()
    var outputs = 0
    for _ in 0..<chunks { outputs += gate.process(chunk).count }
    let end = processorTime()
    precondition(levels > 0 && outputs > 0)
    return ((middle - start) / Double(seconds), (end - middle) / Double(seconds))
}

/// The processor time of this process so far, in seconds.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The processor time of another process so far, in seconds.
func processorTime(of process: pid_t) throws -> Double {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let fields = try String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8).split(separator: " ")
        return sum + (fields.first.flatMap { Double($0) } ?? 0) / 1e9
    }
}

/// The share of a core that arecord takes on the device, at the rate, period and buffer that the recorder asks it for.
func cpuOfArecord(seconds: Double) async throws -> Double {
    let arecord = try Arecord(recording: false)
    // As with the recorder, what it takes to begin is not counted.
    try await Task.sleep(for: .seconds(2))
    let (start, cpu) = (ContinuousClock.now, try processorTime(of: arecord.process))
    try await Task.sleep(for: .seconds(seconds))
    let elapsed = ContinuousClock.now - start
    let share = (try processorTime(of: arecord.process) - cpu) / (elapsed / .seconds(1))
    _ = arecord.end()
    return share
}
