import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// What makes recognition unlikely is said, and how loud it is.
final class RecorderWarningTests: XCTestCase {
    private func warnings(
        _ value: Int16, seconds: Int, format: AudioSampleFormat = .int16
    ) -> [AudioRecorderWarning] {
        var parameters = FakePCM.standard
        parameters.format = format
        var inspector = InputInspector(parameters)
        let piece = Self.piece(value, format: format, count: 320)
        return (0..<seconds * 50).flatMap { _ in piece.withUnsafeBytes { inspector.process($0) } }
    }

    private static func piece(_ value: Int16, format: AudioSampleFormat, count: Int) -> [UInt8] {
        var piece: [UInt8] = []
        for _ in 0..<count {
            switch format {
            case .int16: withUnsafeBytes(of: value.littleEndian) { piece += $0 }
            case .int24:
                piece += [value < 0 ? 0 : UInt8(truncatingIfNeeded: value)] + withUnsafeBytes(of: value) { Array($0) }
            case .int32: withUnsafeBytes(of: Int32(value) << 16) { piece += $0 }
            case .float32: withUnsafeBytes(of: Float(value) / 32768) { piece += $0 }
            }
        }
        return piece
    }

    func testFiveSecondsOfZerosAreReportedOnce() {
        for format in AudioSampleFormat.allCases {
            XCTAssertEqual(warnings(0, seconds: 4, format: format), [], "\(format)")
            XCTAssertEqual(warnings(0, seconds: 60, format: format), [.digitalSilence], "\(format)")
            XCTAssertEqual(warnings(1, seconds: 20, format: format), [], "\(format)")
        }
    }

    func testFullScaleIsReportedNotMoreOftenThanEveryTenSeconds() {
        for format in AudioSampleFormat.allCases {
            XCTAssertEqual(warnings(.min, seconds: 25, format: format), [.clipping, .clipping, .clipping], "\(format)")
            XCTAssertEqual(warnings(20_000, seconds: 25, format: format), [], "\(format)")
        }
    }

    func testAFewSamplesAtFullScaleAreNoClipping() {
        var inspector = InputInspector(FakePCM.standard)
        let quiet = Self.piece(100, format: .int16, count: 15_990)
        let loud = Self.piece(.max, format: .int16, count: 10)
        for _ in 0..<20 {
            XCTAssertEqual(loud.withUnsafeBytes { inspector.process($0) }, [])
            XCTAssertEqual(quiet.withUnsafeBytes { inspector.process($0) }, [])
        }
    }

    func testSoundBetweenZerosBeginsTheCountAnew() {
        var inspector = InputInspector(FakePCM.standard)
        let zeros = Self.piece(0, format: .int16, count: 16_000 * 3)
        let sound = Self.piece(5, format: .int16, count: 1)
        for _ in 0..<5 {
            XCTAssertEqual(zeros.withUnsafeBytes { inspector.process($0) }, [])
            XCTAssertEqual(sound.withUnsafeBytes { inspector.process($0) }, [])
        }
        XCTAssertEqual(zeros.withUnsafeBytes { inspector.process($0) }, [])
        XCTAssertEqual(zeros.withUnsafeBytes { inspector.process($0) }, [.digitalSilence])
    }

    func testADeviceFasterThanTimeIsReportedOnceInARecording() async throws {
        let system = try FakePCM([.frames(16_000 * 20)])
        let spy = RecorderSpy()
        let time = VirtualTime()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .zero, system: system,
            time: time.captureTime)
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.call(.warned(.fasterThanRealTime))], timeout: 20)
        try recorder.suspend()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(spy.calls.filter { $0 == .warned(.fasterThanRealTime) }.count, 1)
    }

    func testADeviceWithoutAudioIsReportedOnce() async throws {
        let spy = RecorderSpy()
        let time = VirtualTime()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .zero, system: try FakePCM(),
            time: time.captureTime)
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.call(.warned(.noAudio))], timeout: 20)
        try recorder.suspend()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(spy.calls.filter { $0 == .warned(.noAudio) }.count, 1)
    }

    func testLevelsComeTwentyTimesASecondToTheDelegateAndTheSequence() async throws {
        let system = try FakePCM(Array(repeating: .frames(320), count: 50))
        let spy = RecorderSpy()
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", chunk: .milliseconds(20), tail: .zero,
            system: system)
        recorder.delegate = spy
        let levels = recorder.levels
        try recorder.start()
        await fulfillment(of: [spy.bytes(32_000)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        XCTAssertEqual(spy.levels.count, 20)
        var read: [AudioLevel] = []
        for await level in levels {
            read.append(level)
            if read.count == 20 { break }
        }
        XCTAssertEqual(read, spy.levels)
    }

    func testLevelsAreWhatTheyAreDefinedToBe() {
        func level(_ samples: [Int16]) -> AudioLevel? {
            var meter = LevelMeter(sampleRate: 16_000, channels: 1)
            var found: [AudioLevel] = []
            meter.process(samples.littleEndianData) { found.append($0) }
            XCTAssertEqual(found.count, samples.count / 800)
            return found.last
        }
        let square = [Int16](repeating: .min, count: 800)
        XCTAssertEqual(level(square), AudioLevel(rms: 0, peak: 0))
        XCTAssertEqual(level([Int16](repeating: 0, count: 800)), AudioLevel(rms: -120, peak: -120))
        let sine = level(Signals.tone(1_000, rate: 16_000, count: 800).map { Int16($0 * 32767) })
        XCTAssertEqual(sine?.rms ?? 0, 20 * log10(0.9 / 2.0.squareRoot()), accuracy: 0.05)
        XCTAssertEqual(sine?.peak ?? 0, 20 * log10(0.9), accuracy: 0.05)
        XCTAssertNil(level([Int16](repeating: 5, count: 799)))
    }
}
