import Foundation
import Speechly

/// What a capture brought.
struct Outcome {
    /// From the wake-up of the capture thread to the end of sending, in nanoseconds.
    var latencies: [UInt64] = []
    /// From the start to the stop, in seconds.
    var total = 0.0
    /// Processor time as a share of real time.
    var cpu = 0.0
    var lost = LostAudio()
}

/// Captures 48 kHz stereo, converts it and sends it to a service for some seconds, as a program with a client does.
func capture(seconds: Double, address: String, device: String = "mic") async throws -> Outcome {
    var configuration = ClientConfiguration()
    configuration.device = device
    configuration.channelSelection = .channel(0)
    let client = try Client(
        appId: UUID(), prepareOnInit: false, identityAddr: address, sluAddr: address,
        delegateDispatchQueue: DispatchQueue(label: "benchmark"), configuration: configuration)
    let failures = Task { [events = client.events] in
        for await event in events {
            if case .failure(let failure) = event { print("failure: \(failure)") }
        }
    }
    let begin = ContinuousClock.now
    _ = try await client.start()
    try await Task.sleep(for: .seconds(2))
    let clock = try PollClock()
    clock.reset()
    let (start, cpu) = (ContinuousClock.now, processorTime())
    try await Task.sleep(for: .seconds(seconds))
    let elapsed = ContinuousClock.now - start
    var outcome = Outcome()
    outcome.latencies = clock.latencies
    outcome.cpu = (processorTime() - cpu) / (elapsed / .seconds(1))
    // The tail is captured too.
    outcome.total = (ContinuousClock.now - begin + configuration.tail) / .seconds(1)
    _ = try await client.stop()
    outcome.lost = client.lostAudio
    failures.cancel()
    return outcome
}

/// The functions of the preloaded `poll_clock.c`.
struct PollClock {
    private let countFunction: @convention(c) () -> Int
    private let latenciesFunction: @convention(c) () -> UnsafePointer<UInt>
    let reset: @convention(c) () -> Void

    init() throws {
        func symbol<Function>(_ name: String, _ type: Function.Type) throws -> Function {
            guard let address = dlsym(nil, name) else { throw CocoaError(.fileReadUnknown) }
            return unsafeBitCast(address, to: type)
        }
        countFunction = try symbol("poll_clock_count", (@convention(c) () -> Int).self)
        latenciesFunction = try symbol("poll_clock_latencies", (@convention(c) () -> UnsafePointer<UInt>).self)
        reset = try symbol("poll_clock_reset", (@convention(c) () -> Void).self)
    }

    /// From the wake-up of the capture thread to the end of the send, in nanoseconds.
    var latencies: [UInt64] {
        UnsafeBufferPointer(start: latenciesFunction(), count: countFunction()).map { UInt64($0) }
    }
}

/// This program in another process.
final class Child {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// The first line of a server's output.
    private(set) lazy var address = readLine()

    /// What has come to a server.
    func ask() -> NumberedSignal.Findings? {
        try? input.fileHandleForWriting.write(contentsOf: Data("?\n".utf8))
        return readLine().flatMap { try? JSONDecoder().decode(NumberedSignal.Findings.self, from: Data($0.utf8)) }
    }

    private func readLine() -> String? {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([10]) {
            line += byte
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    func end() { process.terminate() }
}

/// Plays the numbered signal into the sink.
final class Player {
    private let process = Process()

    init() throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // So much in advance that it does not run dry on a busy machine.
        process.arguments = [
            "-c",
            #"""
            "$0" play | exec pacat --playback --raw -d mic --rate=48000 --channels=2 --format=s16le --latency-msec=2000
            """#, own,
        ]
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
        try process.run()
    }

    func end() { process.terminate() }
}

/// `arecord` with the rate, period and buffer that the recorder asks for.
final class Arecord {
    private let run = Process()
    private let file: URL?

    /// The process.
    var process: pid_t { run.processIdentifier }

    init(recording: Bool) throws {
        file =
            recording ? FileManager.default.temporaryDirectory.appendingPathComponent("arecord-\(UUID()).raw") : nil
        run.executableURL = URL(fileURLWithPath: "/usr/bin/arecord")
        run.arguments = [
            "-q", "-D", "mic", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2", "--period-time=30000",
            "--buffer-time=500000", file?.path ?? "/dev/null",
        ]
        run.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_PRELOAD" }
        try run.run()
    }

    /// Ends it. Returns what it recorded of the numbered signal.
    func end() -> NumberedSignal.Findings {
        // It writes what it has at once, and does not always heed SIGTERM.
        kill(run.processIdentifier, SIGKILL)
        run.waitUntilExit()
        guard let file, let audio = try? Data(contentsOf: file, options: .mappedIfSafe) else { return .init() }
        try? FileManager.default.removeItem(at: file)
        return NumberedSignal.examine(audio, factor: 3, channels: 2)
    }
}
