import Foundation
import SpeechlySync
import Synchronization
import TestSupport
import XCTest

@testable import SpeechlyAudio

/// The capture thread does not call the allocator while it captures.
///
/// The test runs itself again in a child process into which a counting allocator is preloaded.
final class CaptureAllocationTests: XCTestCase {
    private static let periods = 10_000
    private static let isChild = ProcessInfo.processInfo.environment["SPEECHLY_MALLOC_PROBE"] != nil

    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    func testNothingIsAllocatedInTenThousandPeriods() async throws {
        if Self.isChild {
            try await capture(from: SteadySystem(), device: "mic", named: "a device")
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "speechly-\(UUID().uuidString).raw")
            try Data(count: 64).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            try await capture(from: ALSASystem(), device: ALSASandbox.fileDevice(file), named: "an ALSA device")
        } else {
            try runChild()
        }
    }

    // MARK: The child

    private func capture(from system: any PCMSystem, device: String, named name: String) async throws {
        let probe = try MallocProbe()
        let unused = probe.calls()
        probe.mark(1)
        free(malloc(64))
        probe.mark(0)
        XCTAssertGreaterThanOrEqual(probe.calls(), unused + 2, "the probe does not count")
        let before = probe.calls()
        let delivered = Counter()
        let done = expectation(description: "all periods")
        let polls = Counter()
        let time = VirtualTime(step: .milliseconds(30)) {
            // The delivery has to keep up, since no time passes.
            while polls.value - delivered.value > 30 { usleep(100) }
            switch polls.add() {
            // All that happens once has happened by then.
            case 100: probe.mark(1)
            case 100 + Self.periods:
                probe.mark(0)
                done.fulfill()
            default: break
            }
        }
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: device, tail: .zero, system: system,
            time: time.captureTime)
        let counter = ChunkCounter(delivered)
        recorder.delegate = counter
        try recorder.start()
        await fulfillment(of: [done], timeout: 120)
        try recorder.suspend()
        let calls = probe.calls() - before
        print("\(name): \(calls) allocator calls in \(Self.periods) periods")
        XCTAssertEqual(calls, 0, name)
        withExtendedLifetime(counter) {}
    }

    // MARK: The parent

    private func runChild() throws {
        if dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil {
            print("SKIPPED: a sanitizer has its own allocator, and none can be preloaded")
            throw XCTSkip("a sanitizer has its own allocator")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = folder.appendingPathComponent("malloc_probe.so").path
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("MallocProbe/malloc_probe.c").path
        let compiled = try run(
            "/usr/bin/env",
            ["cc", "-O1", "-fno-builtin", "-shared", "-fPIC", "-ftls-model=initial-exec", "-o", library, source], [:])
        XCTAssertEqual(compiled.status, 0, compiled.output)
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let result = try run(
            executable, ["SpeechlyAudioTests.CaptureAllocationTests/testNothingIsAllocatedInTenThousandPeriods"],
            ["LD_PRELOAD": library, "SPEECHLY_MALLOC_PROBE": "1"])
        XCTAssertEqual(result.status, 0, result.output)
        for name in ["a device", "an ALSA device"] {
            XCTAssertTrue(
                result.output.contains("\(name): 0 allocator calls in \(Self.periods) periods"), result.output)
        }
    }

    private func run(
        _ path: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// The functions of the preloaded allocator.
private struct MallocProbe: Sendable {
    let mark: @convention(c) (Int32) -> Void
    let calls: @convention(c) () -> Int

    init() throws {
        let mark = try XCTUnwrap(dlsym(nil, "malloc_probe_mark"), "the probe is not loaded")
        let calls = try XCTUnwrap(dlsym(nil, "malloc_probe_calls"))
        self.mark = unsafeBitCast(mark, to: (@convention(c) (Int32) -> Void).self)
        self.calls = unsafeBitCast(calls, to: (@convention(c) () -> Int).self)
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .acquiring) }
    @discardableResult
    func add() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }
}

private final class ChunkCounter: AudioRecorderDelegate {
    private let chunks: Counter
    init(_ chunks: Counter) { self.chunks = chunks }
    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) { chunks.add() }
}

/// A device that always has one period more, and allocates nothing itself.
private final class SteadySystem: PCMSystem {
    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice { SteadyDevice() }
}

private final class SteadyDevice: PCMDevice {
    let parameters = PCMParameters(
        sampleRate: 48_000, channels: 2, format: .int16, periodFrames: 1_440, bufferFrames: 24_000)
    var pollDescriptors: [pollfd] { [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)] }
    func prepare() -> Int32 { 0 }
    func start() -> Int32 { 0 }
    func resume() -> Int32 { 0 }
    func drop() -> Int32 { 0 }
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 { Int32(POLLIN) }
    func available() -> Int { 1_440 }
    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int { frames }
    func close() {}
}
