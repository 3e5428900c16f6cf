import XCTest

@testable import SpeechlyAudio

/// Whatever a device captures as, the delegate gets the same.
final class RecorderFormatTests: XCTestCase {
    /// Records until the device is lost.
    private func record(
        _ parameters: PCMParameters, frames: Int, channels: UInt32 = 1, chunk: Duration? = nil,
        configure: (inout FakePCM.State) -> Void
    ) async throws -> RecorderSpy {
        let pieces = [FakePCM.Step](
            repeating: .frames(parameters.periodFrames), count: frames / parameters.periodFrames)
        let system = try FakePCM(pieces + [.fault(-ENODEV)], parameters: parameters, configure: configure)
        let spy = RecorderSpy()
        let virtual = VirtualTime(step: .milliseconds(20))
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: channels, prepareOnInit: false, device: "mic",
            chunk: chunk ?? .milliseconds(30), system: system, time: virtual.captureTime)
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 30)
        XCTAssertEqual(recorder.lostAudio.gaps, 0, "\(parameters)")
        return spy
    }

    private func parameters(_ rate: Int, _ channels: Int, _ format: AudioSampleFormat) -> PCMParameters {
        PCMParameters(
            sampleRate: rate, channels: channels, format: format, periodFrames: rate / 50, bufferFrames: rate / 2)
    }

    func testEveryFormatRateAndNumberOfChannelsBecomesTheSame() async throws {
        for format in [AudioSampleFormat.int16, .int24, .int32, .float32] {
            for (rate, channels) in [(8_000, 1), (16_000, 32), (44_100, 2), (48_000, 6), (96_000, 1), (192_000, 3)] {
                let name = "\(format), \(rate) Hz, \(channels) channels"
                let spy = try await record(parameters(rate, channels, format), frames: rate) {
                    $0.nextSample = 5_000
                    $0.rise = 0
                }
                let samples = try XCTUnwrap(spy.recordings.first).samples
                XCTAssertEqual(Double(samples.count), 16_000, accuracy: 2, name)
                // But for the edges, where a filter answers to the beginning and the end.
                XCTAssertTrue(samples.dropFirst(400).dropLast(400).allSatisfy { abs(Int($0) - 5_000) <= 1 }, name)
            }
        }
    }

    func testTheChannelsAreAveraged() async throws {
        let spy = try await record(parameters(16_000, 4, .int16), frames: 3_200) {
            $0.nextSample = 100
            $0.rise = 0
            $0.channelOffset = 200
        }
        XCTAssertEqual(Set(try XCTUnwrap(spy.recordings.first).samples), [400])
    }

    func testSeveralChannelsStayApart() async throws {
        let spy = try await record(parameters(16_000, 2, .int16), frames: 3_200, channels: 2) {
            $0.nextSample = 100
            $0.rise = 0
            $0.channelOffset = 200
        }
        let samples = try XCTUnwrap(spy.recordings.first).samples
        XCTAssertEqual(samples, (0..<3_200).flatMap { _ in [Int16(100), 300] })
    }

    func testPiecesAreOf30MillisecondsUnlessOthersAreAskedForAndAtLeast20AndAtMost100() async throws {
        let cases: [(chunk: Duration?, bytes: Int)] = [
            (nil, 960), (.milliseconds(20), 640), (.milliseconds(45), 1_440), (.milliseconds(100), 3_200),
            (.milliseconds(1), 640), (.seconds(1), 3_200), (.zero, 640),
        ]
        for (chunk, bytes) in cases {
            let spy = try await record(parameters(16_000, 1, .int16), frames: 16_000, chunk: chunk) { _ in }
            XCTAssertEqual(Set(spy.chunkSizes.dropLast()), [bytes], "\(String(describing: chunk))")
            XCTAssertEqual(spy.chunkSizes.reduce(0, +), 32_000)
        }
        // What is not said is the default.
        let pieces = [FakePCM.Step](repeating: .frames(320), count: 6)
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic",
            system: FakePCM(pieces + [.fault(-ENODEV)]), time: VirtualTime().captureTime)
        let spy = RecorderSpy()
        recorder.delegate = spy
        try recorder.start()
        await fulfillment(of: [spy.stops(1)], timeout: 30)
        XCTAssertEqual(spy.chunkSizes, [960, 960, 960, 960])
    }
}
