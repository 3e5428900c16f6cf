import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// The recorder on devices that do what real ones do seldom.
final class RecorderFaultTests: XCTestCase {
    private func recorder(
        _ system: FakePCM, spy: RecorderSpy, prepareOnInit: Bool = false, chunk: Duration = .milliseconds(20),
        tail: Duration = .zero
    ) throws -> AudioRecorder {
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: prepareOnInit, device: "mic", chunk: chunk, tail: tail,
            system: system)
        recorder.delegate = spy
        return recorder
    }

    /// Calls what must not fail from closures that may not throw.
    @Sendable private static func mustSucceed(_ body: () throws -> Void) {
        do { try body() } catch { XCTFail("\(error)") }
    }

    private func count(from first: Int, to last: Int) -> [Int16] { (first...last).map { Int16($0) } }

    func testOnlyPrepareOnInitTouchesTheDevice() throws {
        let lazy = try FakePCM()
        _ = try recorder(lazy, spy: RecorderSpy())
        XCTAssertEqual(lazy.calls, [])
        let eager = try FakePCM()
        let recorder = try recorder(eager, spy: RecorderSpy(), prepareOnInit: true)
        XCTAssertEqual(eager.calls, [.open, .close])
        try recorder.suspend()
        try recorder.resume()
        XCTAssertEqual(eager.calls, [.open, .close, .open, .close])
    }

    func testFailuresToOpenAreThrownWithAdvice() throws {
        let failures: [AudioRecorder.AudioRecorderError] = [
            .permissionDenied(device: "mic"), .deviceBusy(device: "mic"), .openFailed(device: "mic", reason: "x"),
        ]
        let system = try FakePCM { $0.openFailures = failures }
        let spy = RecorderSpy()
        XCTAssertThrowsError(try recorder(system, spy: spy, prepareOnInit: true)) {
            XCTAssertTrue("\($0)".contains("group 'audio'"), "\($0)")
        }
        let recorder = try recorder(system, spy: spy)
        XCTAssertThrowsError(try recorder.start()) { XCTAssertEqual("\($0)", "mic: in use by another program") }
        XCTAssertThrowsError(try recorder.start()) { XCTAssertEqual("\($0)", "mic: cannot be opened: x") }
        XCTAssertNoThrow(try recorder.start())
        XCTAssertEqual(spy.calls, [])
    }

    func testAfterAnOverrunTheDeviceIsPreparedAndStarted() async throws {
        let system = try FakePCM([.frames(320), .fault(-EPIPE), .frames(320)])
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        await fulfillment(of: [system.read(640)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(system.calls, [.open, .prepare, .start, .prepare, .start, .close])
        XCTAssertEqual(spy.calls.filter { if case .audio = $0 { false } else { true } }, [.lost, .stopped])
        XCTAssertEqual(spy.calls.prefix(2), [.audio(640), .lost])
        XCTAssertEqual(recorder.lostAudio.gaps, 1)
        XCTAssertEqual(
            recorder.lostAudio.duration / .seconds(1), try XCTUnwrap(spy.losses.first), accuracy: 1e-9)
        // What is missing is silence, so that the rest is at its right time.
        let gap = Int((try XCTUnwrap(spy.losses.first) * 16_000).rounded())
        let silence = [Int16](repeating: 0, count: gap)
        XCTAssertEqual(spy.recordings.first?.samples, count(from: 1, to: 320) + silence + count(from: 321, to: 640))
    }

    func testAfterSleepTheDeviceIsResumedOrStartedAfresh() async throws {
        let system = try FakePCM([.fault(-ESTRPIPE), .frames(320), .fault(-ESTRPIPE), .frames(320)]) {
            $0.resumeCodes = [-EAGAIN, 0, -ENOSYS]
        }
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        await fulfillment(of: [system.read(640)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(
            system.calls,
            [.open, .prepare, .start, .resume, .resume, .resume, .prepare, .start, .close])
    }

    func testALostDeviceIsOneErrorAndTheRecorderCanStartAgain() async throws {
        for code in [ENODEV, EIO] {
            let system = try FakePCM([.frames(300), .fault(-code)])
            let spy = RecorderSpy()
            let recorder = try recorder(system, spy: spy)
            try recorder.start()
            await fulfillment(of: [spy.stops(1)], timeout: 20)
            let text = String(cString: strerror(code))
            XCTAssertEqual(
                spy.calls, [.available(false), .audio(600), .failed("mic: stopped working: \(text)"), .stopped])
            XCTAssertEqual(system.calls, [.open, .prepare, .start, .close])
            system.add([.frames(320)])
            try recorder.start()
            await fulfillment(of: [spy.bytes(640, recording: 1)], timeout: 20)
            recorder.stop()
            await fulfillment(of: [spy.stops(2)], timeout: 20)
        }
    }

    func testADeviceThatCannotBeStartedIsOneError() async throws {
        let system = try FakePCM { $0.startCodes = [-EIO] }
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(spy.calls, [.available(false), .failed("mic: stopped working: Input/output error"), .stopped])
        XCTAssertEqual(system.calls, [.open, .prepare, .start, .close])
    }

    func testEndlessOverrunsAreALostDevice() async throws {
        let system = try FakePCM(Array(repeating: .fault(-EPIPE), count: 100))
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 30)
        XCTAssertEqual(system.calls.filter { $0 == .start }.count, 9)
        XCTAssertEqual(spy.calls.suffix(2), [.failed("mic: stopped working: Broken pipe"), .stopped])
    }

    func testTheTailIsRecorded() async throws {
        let system = try FakePCM([.frames(320)])
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy, tail: .milliseconds(30))
        try recorder.start()
        await fulfillment(of: [spy.bytes(640)], timeout: 20)
        recorder.stop()
        system.add(Array(repeating: .frames(100), count: 20))
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        let output = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(output, count(from: 1, to: output.count))
        // 30 ms, and as many steps as the device took before the recorder saw the stop.
        XCTAssertEqual((output.count - 320 - 480) % 100, 0)
        XCTAssertGreaterThanOrEqual(output.count, 320 + 480)
        XCTAssertLessThan(output.count, 320 + 2_000)
    }

    func testAStartDuringTheTailSharesNoAudio() async throws {
        let system = try FakePCM([.frames(330)])
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy, tail: .seconds(10))
        try recorder.start()
        await fulfillment(of: [spy.bytes(640)], timeout: 20)
        recorder.stop()
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        system.add([.frames(320)])
        await fulfillment(of: [spy.bytes(640, recording: 1)], timeout: 20)
        try recorder.suspend()
        await fulfillment(of: [spy.stops(2)], timeout: 20)
        XCTAssertEqual(spy.recordings[0].samples, count(from: 1, to: 330))
        XCTAssertEqual(spy.recordings[1].samples, count(from: 331, to: 650))
        XCTAssertEqual(system.calls, [.open, .prepare, .start, .close])
    }

    func testADeviceThatHasGoneQuietDoesNotKeepTheRecordingOpen() async throws {
        let system = try FakePCM()
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy, tail: .milliseconds(10))
        try recorder.start()
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        try recorder.start()
        try recorder.suspend()
        await fulfillment(of: [spy.stops(2)], timeout: 20)
        XCTAssertEqual(spy.calls, [.stopped, .stopped])
    }

    func testTheDeviceIsClosedBeforeTheDelegateHearsOfTheEnd() async throws {
        let system = try FakePCM([.frames(320)])
        let spy = RecorderSpy()
        let closedFirst = Locked(false)
        system.state.withLock { $0.onClose = { closedFirst.withLock { $0 = spy.stopCount == 0 } } }
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertTrue(closedFirst.withLock { $0 })
    }

    func testAReleasedRecorderClosesItsDeviceAndSaysNothing() async throws {
        let system = try FakePCM()
        let closed = expectation(description: "closed")
        system.state.withLock { $0.onClose = { closed.fulfill() } }
        let spy = RecorderSpy()
        do {
            let recorder = try recorder(system, spy: spy, tail: .seconds(10))
            try recorder.start()
            recorder.stop()
        }
        await fulfillment(of: [closed], timeout: 20)
        XCTAssertEqual(spy.calls, [])
    }

    func testStartsWhileTheDeviceIsClosingOpenItAgain() async throws {
        let system = try FakePCM()
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        let restarted = Locked(false)
        system.state.withLock { state in
            state.onClose = {
                let isFirst = restarted.withLock { value in
                    defer { value = true }
                    return !value
                }
                if isFirst { Self.mustSucceed { try recorder.start() } }
            }
        }
        try recorder.start()
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        system.add([.frames(320)])
        await fulfillment(of: [spy.bytes(640, recording: 1)], timeout: 20)
        system.state.withLock { $0.onClose = nil }
        recorder.stop()
        await fulfillment(of: [spy.stops(2)], timeout: 20)
        XCTAssertEqual(system.calls.filter { $0 == .open }.count, 2)
    }

    func testIsConvertedWhateverTheDeviceGives() async throws {
        let parameters = PCMParameters(
            sampleRate: 48_000, channels: 2, format: .float32, periodFrames: 960, bufferFrames: 24_000)
        let system = try FakePCM([.frames(960), .frames(960), .fault(-ENODEV)], parameters: parameters)
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        let output = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(output.count, 640)
        for index in 50..<600 { XCTAssertEqual(Double(output[index]), Double(1 + 3 * index), accuracy: 2) }
    }

    func testManyThreadsMayCallEverything() async throws {
        let system = try FakePCM(Array(repeating: .frames(16), count: 500))
        let spy = RecorderSpy()
        let recorder = try recorder(system, spy: spy)
        await withTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(seed))
                    for _ in 0..<50 {
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0: Self.mustSucceed { try recorder.start() }
                        case 1: recorder.stop()
                        case 2: Self.mustSucceed { try recorder.suspend() }
                        default: recorder.delegate = spy
                        }
                    }
                }
            }
        }
        try recorder.start()
        let stops = spy.stopCount
        let ended = spy.expectation("ended") { _, recordings in recordings.count - 1 > stops }
        try recorder.suspend()
        await fulfillment(of: [ended], timeout: 20)
    }
}
