import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// What can be asked of a recorder: a warm microphone, one channel of many, a device that is opened again.
final class RecorderOptionTests: XCTestCase {
    private func count(from first: Int, to last: Int) -> [Int16] { (first...last).map { Int16($0) } }

    func testAWarmMicrophoneBeginsWithWhatCameBeforeTheStart() async throws {
        let system = try FakePCM()
        let spy = RecorderSpy()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: true, device: "mic", chunk: .milliseconds(20),
            tail: .zero, warmth: .warm(preRoll: .milliseconds(40)), system: system)
        recorder.delegate = spy
        system.add([.frames(320), .frames(320), .frames(100)])
        await fulfillment(of: [system.read(740)], timeout: 20)
        try recorder.start()
        system.add([.frames(320)])
        await fulfillment(of: [system.read(1_060), spy.bytes(1_280)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        // The start falls somewhere in the last piece, of which what came before it belongs to the pre-roll.
        let first = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertTrue((640...960).contains(first.count), "\(first.count)")
        XCTAssertEqual(first, count(from: 1_061 - first.count, to: 1_060))
        // The next one begins with what came after the first.
        system.add([.frames(10)])
        await fulfillment(of: [system.read(1_070)], timeout: 20)
        try recorder.start()
        system.add([.frames(320)])
        await fulfillment(of: [spy.bytes(640, recording: 1)], timeout: 20)
        try recorder.suspend()
        await fulfillment(of: [spy.stops(2)], timeout: 20)
        XCTAssertEqual(spy.recordings[1].samples, count(from: 1_061, to: 1_390))
        XCTAssertEqual(system.calls, [.open, .prepare, .start, .close])
    }

    func testTheThreadThatCapturesHasItsNameInTheSystemToo() async throws {
        let name = Locked("")
        let time = VirtualTime {
            // What `ps` and `perf` show; the kernel keeps 15 bytes of it, and pthread refuses more.
            let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.withLock { $0 = text ?? "" }
        }
        let system = try FakePCM([.frames(320)])
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .zero, system: system,
            time: time.captureTime)
        try recorder.start()
        await fulfillment(of: [system.read(320)], timeout: 20)
        try recorder.suspend()
        XCTAssertEqual(name.withLock { $0 }, "speechly-mic\n")
    }

    func testAColdMicrophoneIsClosedAfterTheTail() async throws {
        let system = try FakePCM([.frames(320)])
        let spy = RecorderSpy()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .zero, system: system)
        recorder.delegate = spy
        try recorder.start()
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(system.calls.last, .close)
    }

    func testOneChannelOfManyIsPicked() async throws {
        let parameters = PCMParameters(
            sampleRate: 16_000, channels: 4, format: .int16, periodFrames: 320, bufferFrames: 8_000)
        let system = try FakePCM([.frames(320)], parameters: parameters)
        system.state.withLock { $0.channelOffset = 1_000 }
        let spy = RecorderSpy()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", chunk: .milliseconds(20),
            tail: .zero, channelSelection: .channel(2), system: system)
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.bytes(640)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(spy.recordings.first?.samples, count(from: 2_001, to: 2_320))
    }

    func testARecordingBeginsAgainWhenTheDeviceIsBack() async throws {
        let system = try FakePCM([.frames(320), .fault(-ENODEV)])
        let gone = AudioRecorder.AudioRecorderError.noSuchDevice(device: "mic", known: [])
        let spy = RecorderSpy()
        let time = VirtualTime()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", chunk: .milliseconds(20),
            tail: .zero, reopensDevice: true, system: system, time: time.captureTime)
        recorder.delegate = spy
        // Once it is lost it stays away for three attempts.
        system.state.withLock { state in
            state.onClose = {
                system.state.withLock { state in
                    state.openFailures = [gone, gone, gone]
                    state.onClose = nil
                }
            }
        }
        try recorder.start()
        await fulfillment(of: [spy.call(.restarted)], timeout: 20)
        system.add([.frames(320)])
        await fulfillment(of: [spy.bytes(640, recording: 1)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(2)], timeout: 20)
        // No time passes while the clock runs, and so a warning that nothing comes may be among them.
        let calls = spy.calls.filter {
            switch $0 {
            case .audio, .warned: false
            default: true
            }
        }
        XCTAssertEqual(
            calls,
            [
                .available(false), .failed("mic: stopped working: No such device"), .stopped, .available(true),
                .restarted, .stopped,
            ])
        XCTAssertEqual(
            spy.recordings.map { $0.samples.filter { $0 != 0 } },
            [
                count(from: 1, to: 320), count(from: 321, to: 640),
            ])
        XCTAssertEqual(system.calls.filter { $0 == .open }.count, 5)
    }

    func testAStopEndsTheWaitForTheDevice() async throws {
        let system = try FakePCM([.fault(-ENODEV)])
        let gone = AudioRecorder.AudioRecorderError.noSuchDevice(device: "mic", known: [])
        system.state.withLock { $0.onClose = { system.state.withLock { $0.openFailures = [gone] } } }
        let spy = RecorderSpy()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .zero, reopensDevice: true,
            system: system)
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        recorder.stop()
        let idle = expectation(description: "no thread is left")
        Task.detached {
            while !recorder.isIdle { await Task.yield() }
            idle.fulfill()
        }
        await fulfillment(of: [idle], timeout: 20)
        XCTAssertFalse(spy.calls.contains(.restarted))
        XCTAssertEqual(spy.stopCount, 1)
    }

    func testCallsReturnThoughTheDeviceHangs() async throws {
        for place in HangingSystem.Place.allCases {
            let system = HangingSystem(place)
            let spy = RecorderSpy()
            do {
                let recorder = try AudioRecorder(
                    sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", system: system)
                recorder.delegate = spy
                try recorder.start()
                await fulfillment(of: [system.hangs], timeout: 20)
                // The device answers only after all of these have come back.
                recorder.stop()
                try recorder.start()
                try recorder.suspend()
                try recorder.resume()
            }
            system.release()
            await fulfillment(of: [system.closed], timeout: 20)
        }
    }
}

/// A device that hangs in one of its calls until it is released.
private final class HangingSystem: PCMSystem {
    enum Place: CaseIterable { case prepare, start, available, read }

    let place: Place
    let hangs = XCTestExpectation(description: "hangs")
    let closed = XCTestExpectation(description: "closed")
    private let gate = DispatchSemaphore(value: 0)

    init(_ place: Place) { self.place = place }

    func release() { gate.signal() }

    fileprivate func reach(_ place: Place) {
        guard place == self.place else { return }
        hangs.fulfill()
        _ = gate.wait(timeout: .now() + 30)
        gate.signal()
    }

    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice {
        hangs.assertForOverFulfill = false
        closed.assertForOverFulfill = false
        return HangingDevice(self)
    }
}

private final class HangingDevice: PCMDevice {
    private let system: HangingSystem
    init(_ system: HangingSystem) { self.system = system }

    let parameters = FakePCM.standard
    var pollDescriptors: [pollfd] { [] }
    func prepare() -> Int32 {
        system.reach(.prepare)
        return 0
    }
    func start() -> Int32 {
        system.reach(.start)
        return 0
    }
    func resume() -> Int32 { 0 }
    func drop() -> Int32 { 0 }
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 { 0 }
    func available() -> Int {
        system.reach(.available)
        return 320
    }
    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        system.reach(.read)
        return frames
    }
    func close() { system.closed.fulfill() }
}
