import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// Devices behind which a sound server keeps audio for a program that is late, and throws some away without a word.
final class LateDeviceTests: XCTestCase {
    /// Records for ten seconds of a device's time, in which the thread gets no processor time for `stall` seconds
    /// once, `before` seconds before the stop. Returns what was recorded and the number of frames captured when the
    /// stop came.
    private func record(
        stall: Double, before: Double, keeping kept: Double = 21, delegateHangs: Bool = false
    ) async throws -> (spy: RecorderSpy, recorder: AudioRecorder, captured: Int) {
        let server = Locked<ServerPCM?>(nil)
        let recorder = Locked<AudioRecorder?>(nil)
        let waits = Locked(0)
        let captured = Locked(0)
        let queue = DispatchQueue(label: "delegate")
        let time = Locked<VirtualTime?>(nil)
        let spy = RecorderSpy()
        let virtual = VirtualTime {
            guard let time = time.withLock({ $0 }) else { return }
            // Time does not run away from those who take the audio.
            let isHanging = delegateHangs && (250..<300).contains(waits.withLock { $0 })
            while !isHanging, let server = server.withLock({ $0 }), let recorder = recorder.withLock({ $0 }) {
                let lost = Int(recorder.lostAudio.duration / .seconds(1) * 16_000)
                if server.taken + lost - spy.byteCount / 2 < 8_000 { break }
                sched_yield()
            }
            let wait = waits.withLock { waits in
                waits += 1
                return waits
            }
            if wait == 250 { time.advance(UInt64(stall * 1e9)) }
            if delegateHangs && wait == 250 { queue.suspend() }
            if delegateHangs && wait == 300 { queue.resume() }
            guard wait == 250 + Int(before * 50) else { return }
            captured.withLock { $0 = server.withLock { $0?.captured ?? 0 } }
            recorder.withLock { $0 }?.stop()
        }
        time.withLock { $0 = virtual }
        let system = ServerPCM(virtual, kept: kept)
        server.withLock { $0 = system }
        let made = try AudioRecorder(
            sampleRate: 16_000, channels: 1, delegateQueue: queue, prepareOnInit: false, device: "server",
            system: system, time: virtual.captureTime)
        made.delegate = spy
        recorder.withLock { $0 = made }
        try made.start()
        await fulfillment(of: [spy.stops(1)], timeout: 60)
        recorder.withLock { $0 = nil }
        return (spy, made, captured.withLock { $0 })
    }

    func testWhatTheServerKeptArrivesWhole() async throws {
        for (stall, before) in [(0.4, 0.0), (3, 0), (3, 0.1), (15, 0), (15, 4)] {
            let (spy, recorder, captured) = try await record(stall: stall, before: before)
            let samples = try XCTUnwrap(spy.recordings.first).samples
            XCTAssertEqual(recorder.lostAudio.gaps, 0, "\(stall) s")
            XCTAssertGreaterThanOrEqual(samples.count, captured + 8_000, "\(stall) s, \(before) s before the stop")
            XCTAssertLessThan(samples.count, captured + 9_000, "\(stall) s, \(before) s before the stop")
            let isWhole = samples.indices.allSatisfy { samples[$0] == ServerPCM.sample($0) }
            XCTAssertTrue(isWhole, "\(stall) s, \(before) s before the stop")
        }
    }

    func testWhatTheServerKeptWaitsForADelegateThatHangs() async throws {
        let (spy, recorder, captured) = try await record(stall: 15, before: 4, delegateHangs: true)
        let samples = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(recorder.lostAudio.gaps, 0)
        XCTAssertGreaterThanOrEqual(samples.count, captured + 8_000)
        XCTAssertTrue(samples.indices.allSatisfy { samples[$0] == ServerPCM.sample($0) })
    }

    func testWhatTheServerThrewAwayIsAGapAndTheTimeStaysRight() async throws {
        // 24 s are kept from the program, and the server keeps 21 of them.
        let (spy, recorder, captured) = try await record(stall: 24, before: 6)
        let samples = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(recorder.lostAudio.gaps, 1, "\(spy.losses)")
        XCTAssertEqual(recorder.lostAudio.duration / .seconds(1), 3, accuracy: 0.1)
        XCTAssertEqual(Double(samples.count) / 16_000, Double(captured + 8_000) / 16_000, accuracy: 0.1)
        // What was said in the end is in its place.
        let last = samples.count - 12_000
        XCTAssertTrue((-1_600...1_600).contains { samples[last] == ServerPCM.sample(last + $0) })
    }

    func testWhatHasNotComeAtTheEndIsAGapToo() async throws {
        let (spy, recorder, captured) = try await record(stall: 24, before: 0.2)
        let samples = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(recorder.lostAudio.gaps, 1, "\(spy.losses)")
        XCTAssertEqual(recorder.lostAudio.duration / .seconds(1), 3, accuracy: 0.3)
        XCTAssertEqual(Double(samples.count) / 16_000, Double(captured + 8_000) / 16_000, accuracy: 0.3)
    }
}

/// A microphone behind a sound server: it says no more than a buffer of 0.5 s, and keeps much more. The audio is the
/// number of each sample.
private final class ServerPCM: PCMSystem {
    private struct State {
        var start: UInt64?
        /// What was taken or thrown away, in frames, and what was taken.
        var gone = 0
        var taken = 0
    }

    private let time: VirtualTime
    private let kept: Int
    private let state = Locked(State())

    init(_ time: VirtualTime, kept: Double) {
        self.time = time
        self.kept = Int(kept * 16_000)
    }

    /// The sample with a number.
    static func sample(_ number: Int) -> Int16 { Int16(number % 32_000 + 1) }

    /// How many frames were read so far.
    var taken: Int { state.withLock { $0.taken } }

    /// How many frames were captured so far.
    var captured: Int {
        let now = time.now
        return state.withLock { state in state.start.map { Int((now - $0) / 62_500) } ?? 0 }
    }

    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice { Device(self) }

    private final class Device: PCMDevice {
        private let server: ServerPCM

        init(_ server: ServerPCM) { self.server = server }

        let parameters = PCMParameters(
            sampleRate: 16_000, channels: 1, format: .int16, periodFrames: 480, bufferFrames: 8_000)
        var pollDescriptors: [pollfd] { [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)] }

        func prepare() -> Int32 { 0 }
        func start() -> Int32 {
            let now = server.time.now
            server.state.withLock { $0.start = now }
            return 0
        }
        func resume() -> Int32 { 0 }
        func drop() -> Int32 { 0 }
        func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 { Int32(POLLIN) }
        func close() {}

        func available() -> Int {
            let captured = server.captured
            return server.state.withLock { state in
                state.gone = max(state.gone, captured - server.kept)
                return min(parameters.bufferFrames, captured - state.gone)
            }
        }

        func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
            let captured = server.captured
            return server.state.withLock { state in
                let count = min(frames, captured - state.gone)
                for index in 0..<count {
                    buffer.storeBytes(
                        of: ServerPCM.sample(state.gone + index), toByteOffset: index * 2, as: Int16.self)
                }
                state.gone += count
                state.taken += count
                return count
            }
        }
    }
}
