import Foundation
import Speechly

/// What a capture brought.
struct Outcome {
    /// From the wake-up of the capture thread to the end of sending, in nanoseconds.
    var latencies: [UInt64] = []
    /// Processor time as a share of real time.
    var cpu = 0.0
    var bytes = 0
    var losses = 0
}

/// Captures 48 kHz stereo, converts it and sends it to a service for some seconds.
func capture(seconds: Double, address: String, device: String = "mic") async throws -> Outcome {
    let sluClient = TimedSluClient(try SluClient(addr: address, delegateQueue: .global()))
    let recorder = try AudioRecorder(
        sampleRate: 16_000, channels: 1, device: device, chunk: .milliseconds(30), channelSelection: .channel(0))
    let client = try Client(
        appId: UUID(), prepareOnInit: false, sluClient: sluClient,
        identityClient: IdentityClient(addr: address), cache: UserDefaultsCache(storage: UserDefaults()),
        audioRecorder: recorder, delegateDispatchQueue: DispatchQueue(label: "benchmark"))
    let losses = Task { [events = client.events] in
        var count = 0
        for await event in events {
            if case .failure(let failure) = event {
                print("failure: \(failure)")
                count += 1
            }
        }
        return count
    }
    _ = try await client.start()
    try await Task.sleep(for: .seconds(2))
    sluClient.reset()
    let (start, cpu) = (ContinuousClock.now, processorTime())
    try await Task.sleep(for: .seconds(seconds))
    let elapsed = ContinuousClock.now - start
    var outcome = sluClient.outcome
    outcome.cpu = (processorTime() - cpu) / (elapsed / .seconds(1))
    _ = try await client.stop()
    losses.cancel()
    outcome.losses = await losses.value
    return outcome
}

/// An SLU client that notes how long after the wake-up of the capture thread each piece is sent.
final class TimedSluClient: SluClientProtocol, @unchecked Sendable {
    // Sendable: `noted` is used under `lock` only.
    private let base: SluClient
    private let lock = NSLock()
    private var noted = Outcome()
    private let lastWake: (@convention(c) () -> UInt)?

    init(_ base: SluClient) {
        self.base = base
        lastWake = dlsym(nil, "poll_clock_last").map { unsafeBitCast($0, to: (@convention(c) () -> UInt).self) }
    }

    var outcome: Outcome { lock.withLock { noted } }
    func reset() { lock.withLock { noted = Outcome() } }

    var delegate: SluClientDelegate? {
        get { base.delegate }
        set { base.delegate = newValue }
    }

    func connect(token: ApiAccessToken, config: SluConfig) async throws {
        try await base.connect(token: token, config: config)
    }
    func disconnect() async throws { try await base.disconnect() }
    func startContext(appId: String?) async throws { try await base.startContext(appId: appId) }
    func startContext(appId: String?, options: ContextOptions) async throws {
        try await base.startContext(appId: appId, options: options)
    }
    func stopContext() async throws { try await base.stopContext() }
    func resume() async throws { try await base.resume() }
    func suspend() async throws { try await base.suspend() }

    func write(data: Data) async throws {
        // Taken before the send: the wake-up that brought the piece, or a later one if it had to wait for a period.
        let wake = UInt64(lastWake?() ?? 0)
        try await base.write(data: data)
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        lock.withLock {
            noted.latencies.append(now - min(now, wake))
            noted.bytes += data.count
        }
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

    func readLine() -> String? {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([10]) {
            line += byte
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    func end() { process.terminate() }
}
