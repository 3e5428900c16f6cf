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

    /// How many bytes of audio a server has got.
    func ask() -> Int {
        try? input.fileHandleForWriting.write(contentsOf: Data("?\n".utf8))
        return readLine().flatMap { Int($0) } ?? 0
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
