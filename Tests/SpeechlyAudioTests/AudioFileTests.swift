import Foundation
import TestSupport
import XCTest

@testable import SpeechlyAudio

final class AudioFileTests: AudioFileTestCase {
    func testFLACIsReadAtTheRightRateAndLength() async throws {
        let source = try AudioFile(
            url: TestCases.url("speech/show-me-only-typescript-items.rms.44100-stereo-24bit.flac"))
        XCTAssertEqual(try XCTUnwrap(source.duration), 149_058.0 / 44_100, accuracy: 1e-9)
        let output = try await read(source)
        XCTAssertEqual(output.count, 54_080)
        XCTAssertGreaterThan(Signals.equivalentAmplitude(output[...]), 0.01)
    }

    func testTheSameAudioInBigEndianContainersIsTheSame() async throws {
        let samples = Signals.noise(1_000, seed: 2)
        let big = samples.map(\.bigEndian).littleEndianData
        var sun = Data(".snd".utf8)
        for value in [24, UInt32(big.count), 3, 16_000, 1] { sun += withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        let output = try await read(path: file(sun + big, named: "audio.au"))
        XCTAssertEqual(output, samples)
    }

    func testRealTimeGoesByTheClock() async throws {
        let samples = Signals.noise(4_000, seed: 4)
        let path = try file(WAVBuilder(samples).data)
        let clock = ManualClock()
        let source = try AudioFile(path: path, realtime: true, clock: clock)
        for (number, count) in [1_600, 1_600, 800].enumerated() {
            async let chunk = source.nextChunk()
            let deadline = await clock.nextDeadline()
            XCTAssertEqual(deadline, .milliseconds(min(250, (number + 1) * 100)))
            clock.advance(to: deadline)
            let received = try await chunk
            XCTAssertEqual(received?.count, count * 2)
        }
        let end = try await source.nextChunk()
        XCTAssertNil(end)
    }

    func testAnyDurationsAndRatesAreTakenOrRefused() async throws {
        let path = try file(WAVBuilder(Signals.noise(16_000, seed: 4)).data)
        for length in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10] {
            let source = try AudioFile(path: path, chunk: length, maximumDuration: length)
            let audio = try await read(source)
            XCTAssertEqual(audio.count, 16_000)
            XCTAssertTrue(source.isAtEnd)
        }
        for length in [Duration.zero, .seconds(Int64.min) * 10, .milliseconds(500)] {
            XCTAssertThrowsError(try AudioFile(path: path, chunk: length, maximumDuration: length))
        }
        for rate in [Double.nan, .infinity, -.infinity, 1e300, 0, -1] {
            XCTAssertThrowsError(try AudioFile(path: path, sampleRate: rate))
        }
    }

    func testStopEndsThePresentWait() async throws {
        let path = try file(WAVBuilder(Signals.noise(160_000, seed: 4)).data)
        let clock = ManualClock()
        let source = try AudioFile(path: path, realtime: true, clock: clock)
        async let chunk = source.nextChunk()
        _ = await clock.nextDeadline()
        source.stop()
        let received = try await chunk
        XCTAssertEqual(received?.count, 3_200)
        let end = try await read(source)
        XCTAssertLessThan(end.count, 1_600)
    }

    func testStopEndsAWaitForAPipe() async throws {
        let pipe = Pipe()
        let samples = Signals.noise(2_000, seed: 8)
        var builder = WAVBuilder(samples)
        builder.dataSize = 0xFFFF_FFFF
        try pipe.fileHandleForWriting.write(contentsOf: builder.data)
        let source = try AudioFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        let first = try await source.nextChunk()
        XCTAssertEqual(first?.samples, Array(samples.prefix(1_600)))
        async let second = source.nextChunk()
        source.stop()
        let rest = try await second
        XCTAssertEqual(rest?.samples ?? [], Array(samples.dropFirst(1_600).prefix(rest.map { $0.count / 2 } ?? 0)))
        let end = try await source.nextChunk()
        XCTAssertNil(end)
        try pipe.fileHandleForWriting.close()
    }

    func testCancellationEndsAWaitForAPipe() async throws {
        let pipe = Pipe()
        let source = try AudioFile(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        let task = Task { try await source.nextChunk() }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("not cancelled")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        try pipe.fileHandleForWriting.close()
    }

    func testANamedPipeIsReadOnceItHasAWriter() async throws {
        let path = try folder().appendingPathComponent("pipe").path
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        let samples = Signals.noise(20_000, seed: 9)
        let source = try AudioFile(path: path)
        XCTAssertNil(source.duration)
        let writer = Task.detached {
            let handle = try XCTUnwrap(FileHandle(forWritingAtPath: path))
            try handle.write(contentsOf: WAVBuilder(samples).data)
            try handle.close()
        }
        let output = try await read(source)
        XCTAssertEqual(output, samples)
        try await writer.value
    }
}
