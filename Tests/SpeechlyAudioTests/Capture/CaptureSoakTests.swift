import Foundation
import SpeechlySync
import TestSupport
import XCTest

@testable import SpeechlyAudio

/// Long captures with overruns, lost devices and changes of rate: `make soak`. Without `SPEECHLY_SOAK`, which names the
/// minutes of accelerated and of real capture, two and a half accelerated ones.
final class CaptureSoakTests: XCTestCase {
    private static let minutes: [Double] = {
        let given = ProcessInfo.processInfo.environment["SPEECHLY_SOAK"] ?? ""
        return given.split(separator: ",").compactMap { Double($0) }
    }()

    func testAcceleratedCaptureLosesNothingThatItDoesNotReport() async throws {
        let time = VirtualTime(step: .milliseconds(30))
        try await soak(minutes: Self.minutes.first ?? 2.5, time: time.captureTime, now: { time.now }, keepsUp: time)
    }

    func testRealTimeCaptureLosesNothingThatItDoesNotReport() async throws {
        guard Self.minutes.count > 1 else {
            print("SKIPPED: capture in real time is part of 'make soak'")
            throw XCTSkip("set SPEECHLY_SOAK=30,10")
        }
        try await soak(minutes: Self.minutes[1], time: .system, now: { monotonicTime() }, keepsUp: nil)
    }

    private func soak(
        minutes: Double, time: CaptureTime, now: @escaping @Sendable () -> UInt64, keepsUp virtual: VirtualTime?
    ) async throws {
        let tally = SoakTally()
        let system = SoakSystem(now: now, tally: tally)
        var time = time
        if virtual != nil {
            let wait = time.poll
            time.poll = { descriptors, count, timeout in
                // No time passes while the delivery is behind.
                while tally.isBehind { usleep(100) }
                return wait(descriptors, count, timeout)
            }
        }
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .milliseconds(50),
            reopensDevice: true, system: system, time: time)
        recorder.delegate = tally
        let start = now()
        let end = start + UInt64(minutes * 60e9)
        var warmUp: (descriptors: Int, memory: Int)?
        try recorder.start()
        while now() < end {
            try await Task.sleep(for: .milliseconds(20))
            if warmUp == nil, now() > start + (end - start) / 4 { warmUp = Resources.current }
        }
        let last = Resources.current
        recorder.stop()
        let patience = ContinuousClock.now + .seconds(60)
        while !(recorder.isIdle && tally.isQuiet), ContinuousClock.now < patience {
            try await Task.sleep(for: .milliseconds(20))
        }
        XCTAssertTrue(recorder.isIdle && tally.isQuiet, "the recorder does not come to its end")

        let sum = tally.summary
        print(
            "soak: \(sum.seconds) s of 16 kHz audio, \(sum.lossCount) gaps of \(sum.lost) s reported, "
                + "\(sum.recordings) recordings, descriptors \(warmUp?.descriptors ?? 0) -> \(last.descriptors), "
                + "memory \((warmUp?.memory ?? 0) / 1024) -> \(last.memory / 1024) KiB")
        XCTAssertGreaterThan(sum.lossCount, 0)
        XCTAssertGreaterThan(sum.recordings, 1)
        // What the devices handed out and what they lost is what came out; each recording is rounded up once.
        XCTAssertEqual(
            sum.seconds, sum.handedOut + sum.lost, accuracy: 0.001 * Double(sum.recordings + sum.lossCount))
        XCTAssertLessThanOrEqual(last.descriptors, (warmUp?.descriptors ?? last.descriptors) + 2)
        // A sanitizer keeps a memory of its own of all that was ever touched.
        if Resources.areSanitized { return print("soak: a sanitizer is at work, memory is not compared") }
        XCTAssertLessThan(last.memory, (warmUp?.memory ?? last.memory) + 16 << 20)
    }
}

private enum Resources {
    static let areSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

    static var current: (descriptors: Int, memory: Int) {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (descriptors, (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096)
    }
}

/// What went in and what came out.
private final class SoakTally: AudioRecorderDelegate, Sendable {
    struct Sum {
        /// In seconds.
        var seconds = 0.0
        var handedOut = 0.0
        var lost = 0.0
        var lossCount = 0
        var recordings = 0
    }

    private struct State {
        var sum = Sum()
        var starts = 0
    }

    private let state = Locked(State())

    var summary: Sum { state.withLock { $0.sum } }
    /// Whether more than a second is on its way.
    var isBehind: Bool { state.withLock { $0.sum.handedOut + $0.sum.lost - $0.sum.seconds > 1 } }
    var isQuiet: Bool { state.withLock { $0.sum.recordings >= $0.starts } }

    func opened() { state.withLock { $0.starts += 1 } }
    func handedOut(_ seconds: Double) { state.withLock { $0.sum.handedOut += seconds } }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        state.withLock { $0.sum.seconds += Double(audioData.count) / 32_000 }
    }
    func audioRecorderDidLoseAudio(_ audioRecorder: AudioRecorderProtocol, seconds: TimeInterval) {
        state.withLock { state in
            state.sum.lost += seconds
            state.sum.lossCount += 1
        }
    }
    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {
        state.withLock { $0.sum.recordings += 1 }
    }
}

/// Devices that overrun every ten seconds, are lost every minute, and come back at another rate.
private final class SoakSystem: PCMSystem {
    private static let rates = [48_000, 44_100, 16_000, 96_000, 8_000]
    private let now: @Sendable () -> UInt64
    private let tally: SoakTally
    private let opened = Locked(0)

    init(now: @escaping @Sendable () -> UInt64, tally: SoakTally) {
        self.now = now
        self.tally = tally
    }

    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice {
        let number = opened.withLock { count in
            defer { count += 1 }
            return count
        }
        // Not there every second time that it is looked for.
        if number % 2 == 1 { throw .noSuchDevice(device: request.device, known: []) }
        tally.opened()
        return SoakDevice(rate: Self.rates[number / 2 % Self.rates.count], now: now, tally: tally)
    }
}

private final class SoakDevice: PCMDevice {
    let parameters: PCMParameters
    private let now: @Sendable () -> UInt64
    private let tally: SoakTally
    private let openedAt: UInt64
    private var startedAt: UInt64 = 0
    private var framesRead = 0

    init(rate: Int, now: @escaping @Sendable () -> UInt64, tally: SoakTally) {
        parameters = PCMParameters(
            sampleRate: rate, channels: 2, format: .int16, periodFrames: rate * 3 / 100, bufferFrames: rate / 2)
        self.now = now
        self.tally = tally
        openedAt = now()
    }

    /// Without a descriptor the recorder asks once in a period.
    var pollDescriptors: [pollfd] { [] }
    func prepare() -> Int32 { 0 }
    func start() -> Int32 {
        startedAt = now()
        framesRead = 0
        return 0
    }
    func resume() -> Int32 { 0 }
    func drop() -> Int32 { 0 }
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 { 0 }
    func available() -> Int {
        if now() - openedAt > 60_000_000_000 { return -Int(ENODEV) }
        if now() - startedAt > 10_000_000_000 { return -Int(EPIPE) }
        return Int(Double(now() - startedAt) / 1e9 * Double(parameters.sampleRate)) - framesRead
    }
    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        for index in 0..<frames * 2 { buffer.storeBytes(of: 1_000, toByteOffset: index * 2, as: Int16.self) }
        framesRead += frames
        tally.handedOut(Double(frames) / Double(parameters.sampleRate))
        return frames
    }
    func close() {}
}
