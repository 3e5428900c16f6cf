import Foundation
import SpeechlySync
import TestSupport
import XCTest

@testable import SpeechlyAudio

/// The recorder on ALSA's own virtual devices.
final class AudioRecorderTests: AudioFileTestCase {
    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    /// Samples of which none is zero, so that they can be told from what the device gives behind them.
    private func samples(_ count: Int) -> [Int16] {
        Signals.noise(count, seed: 3).map { $0 == 0 ? 1 : $0 }
    }

    func testDeliversTheDevicesBytes() async throws {
        let input = samples(4_800)
        let device = ALSASandbox.fileDevice(
            URL(fileURLWithPath: try file(input.littleEndianData, named: "samples.raw")))
        let recorder = try AudioRecorder(sampleRate: 16_000, channels: 1, device: device, tail: .milliseconds(50))
        let spy = RecorderSpy()
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.bytes(9_600)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        let output = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(Array(output.prefix(input.count)), input)
        XCTAssertTrue(output.dropFirst(input.count).allSatisfy { $0 == 0 })
        XCTAssertTrue(spy.chunkSizes.dropLast().allSatisfy { $0 == 960 })
        XCTAssertEqual(spy.calls.last, .stopped)
        XCTAssertFalse(spy.calls.contains(.lost))
    }

    func testConvertsWhatTheDeviceCaptures() async throws {
        let tone = Signals.tone(1_000, rate: 16_000, count: 8_000)
        let stereo = tone.flatMap { [$0, $0] }
        let device = ALSASandbox.fileDevice(
            URL(fileURLWithPath: try file(stereo.withUnsafeBytes { Data($0) }, named: "samples.raw")))
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 2, format: .float32, device: device, chunk: .milliseconds(30), tail: .zero)
        let spy = RecorderSpy()
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.bytes(16_000)], timeout: 20)
        recorder.stop()
        await fulfillment(of: [spy.stops(1)], timeout: 20)
        let output = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(output[20], output[21])
        let left = stride(from: 0, to: 8_000, by: 2).map { output[$0] }
        XCTAssertEqual(Signals.amplitude(left[...], at: 1_000, rate: 16_000), 0.9, accuracy: 0.01)
        XCTAssertTrue(spy.chunkSizes.dropLast().allSatisfy { $0 == 480 * 4 })
    }

    func testTheDefaultDeviceRecordsAgainAndAgain() async throws {
        let recorder = try AudioRecorder(sampleRate: 16_000, channels: 1, tail: .milliseconds(20))
        let spy = RecorderSpy()
        recorder.delegate = spy
        for round in 0..<3 {
            try recorder.start()
            try recorder.start()
            await fulfillment(of: [spy.bytes(1, recording: round)], timeout: 20)
            recorder.stop()
            recorder.stop()
            await fulfillment(of: [spy.stops(round + 1)], timeout: 20)
        }
        recorder.stop()
        XCTAssertEqual(spy.stopCount, 3)
        XCTAssertFalse(spy.calls.contains { if case .failed = $0 { true } else { false } })
    }

    func testANameIsWholeOrRefused() throws {
        XCTAssertThrowsError(
            try AudioRecorder(sampleRate: 16_000, channels: 1, prepareOnInit: true, device: "null\0x")
        ) {
            guard
                case AudioRecorder.AudioRecorderError.noSuchDevice("null\0x", _)? = $0
                    as? AudioRecorder.AudioRecorderError
            else { return XCTFail("\($0)") }
            XCTAssertTrue("\($0)".hasPrefix("null\\0x: no such audio device ("), "\($0)")
        }
        XCTAssertThrowsError(try AudioRecorder(sampleRate: 16_000, channels: 1, device: "")) {
            XCTAssertEqual("\($0)", "'': cannot be opened: the name is empty")
        }
    }

    func testAChannelThatNoDeviceHasIsRefused() {
        for channel in [-1, 32, Int.min, .max] {
            XCTAssertThrowsError(
                try AudioRecorder(
                    sampleRate: 16_000, channels: 1, device: "default", channelSelection: .channel(channel))
            ) { XCTAssertEqual($0 as? AudioRecorder.AudioRecorderError, .outputFormatError) }
        }
    }

    func testAnUnknownDeviceIsNamedWithThoseThatAreKnown() throws {
        for prepares in [true, false] {
            do {
                let recorder = try AudioRecorder(
                    sampleRate: 16_000, channels: 1, prepareOnInit: prepares, device: "no-such-device")
                XCTAssertFalse(prepares)
                try recorder.start()
                XCTFail("opened a device that is not there")
            } catch {
                guard
                    case AudioRecorder.AudioRecorderError.noSuchDevice("no-such-device", let known)? = error
                        as? AudioRecorder.AudioRecorderError
                else { return XCTFail("\(error)") }
                XCTAssertTrue("\(error)".hasPrefix("no-such-device: no such audio device ("), "\(error)")
                XCTAssertEqual(known, AudioDevice.all().map(\.id))
            }
        }
    }

    func testImpossibleFormatsAreRefused() {
        for (rate, channels) in [(0.0, 1), (16_000.5, 1), (.nan, 1), (16_000, 0), (16_000, 33)] as [(Double, UInt32)] {
            XCTAssertThrowsError(try AudioRecorder(sampleRate: rate, channels: channels, prepareOnInit: false)) {
                XCTAssertEqual($0 as? AudioRecorder.AudioRecorderError, .outputFormatError)
            }
        }
    }
}
