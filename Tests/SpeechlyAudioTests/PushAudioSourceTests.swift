import Foundation
import XCTest

@testable import SpeechlyAudio

final class PushAudioSourceTests: XCTestCase {
    private static func drain(_ source: PushAudioSource) async throws -> [Int16] {
        var data = Data()
        while let chunk = try await source.nextChunk() { data.append(chunk) }
        return data.samples
    }

    func testWhatIsPushedComesOutHoweverItIsCut() async throws {
        let samples = Signals.noise(6_000, seed: 1)
        let bytes = samples.littleEndianData
        var generator = SeededGenerator(seed: 2)
        let source = try PushAudioSource()
        var position = 0
        while position < bytes.count {
            let count = min(bytes.count - position, Int.random(in: 0...99, using: &generator))
            XCTAssertEqual(source.push(bytes.subdata(in: position..<position + count)), .accepted)
            position += count
        }
        source.finish()
        source.finish()
        XCTAssertEqual(source.push(bytes), .finished)
        let output = try await PushAudioSourceTests.drain(source)
        XCTAssertEqual(output, samples)
    }

    func testChunksOfAnyLengthAreBounded() async throws {
        let samples = Signals.noise(100, seed: 3)
        for chunk in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(Int64.min) * 10, .zero] {
            let source = try PushAudioSource(bufferLimit: .max, chunk: chunk)
            XCTAssertEqual(source.push(samples.littleEndianData), .accepted)
            source.finish()
            let output = try await PushAudioSourceTests.drain(source)
            XCTAssertEqual(output, samples)
        }
    }

    func testEveryFormatIsConverted() async throws {
        let tone = Signals.tone(1_000, rate: 48_000, count: 9_600)
        let wide = tone.map { Int32($0 * 0x7FFF_FF00) }
        let stored: [(AudioSampleFormat, Data)] = [
            (.float32, tone.withUnsafeBytes { Data($0) }), (.int32, wide.withUnsafeBytes { Data($0) }),
            (.int24, Data(wide.flatMap { value in (1...3).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } })),
            (.int16, wide.map { Int16(truncatingIfNeeded: $0 >> 16) }.littleEndianData),
        ]
        for (format, data) in stored {
            let source = try PushAudioSource(sampleRate: 48_000, format: format)
            for start in stride(from: 0, to: data.count, by: 1_001) {
                XCTAssertEqual(source.push(data.subdata(in: start..<min(data.count, start + 1_001))), .accepted)
            }
            source.finish()
            let output = try await PushAudioSourceTests.drain(source)
            XCTAssertEqual(output.count, 3_200)
            XCTAssertEqual(Signals.amplitude(output[400..<2_800], at: 1_000, rate: 16_000), 0.9, accuracy: 0.01)
        }
    }

    func testTheBufferIsBounded() async throws {
        let source = try PushAudioSource(bufferLimit: 8_000)
        let piece = Data(count: 3_200)
        XCTAssertEqual(source.push(Data(count: 8_001)), .tooLarge)
        XCTAssertEqual(source.push(piece), .accepted)
        XCTAssertEqual(source.push(piece), .accepted)
        XCTAssertEqual(source.push(piece), .full)
        let chunk = try await source.nextChunk()
        XCTAssertEqual(chunk?.count, 3_200)
        XCTAssertEqual(source.push(piece), .accepted)
        source.finish()
        let rest = try await PushAudioSourceTests.drain(source)
        XCTAssertEqual(rest.count, 3_200)
    }

    func testALimitBelowAChunkIsAChunk() async throws {
        // 10 ms at 16 kHz mono.
        for limit in [0, -5, Int.min] {
            let source = try PushAudioSource(bufferLimit: limit, chunk: .seconds(-1))
            XCTAssertEqual(source.push(Data(count: 324)), .tooLarge)
            XCTAssertEqual(source.push(Data(count: 320)), .accepted)
            XCTAssertEqual(source.push(Data(count: 2)), .full)
            let chunk = try await source.nextChunk()
            XCTAssertEqual(chunk?.count, 320)
        }
    }

    func testAPushThatWaitsGoesOnWhenThereIsRoom() async throws {
        let samples = Signals.noise(50_000, seed: 3)
        let source = try PushAudioSource(bufferLimit: 3_200)
        let pusher = Task {
            let result = try await source.pushWhenWritable(samples.littleEndianData)
            source.finish()
            return result
        }
        let output = try await PushAudioSourceTests.drain(source)
        XCTAssertEqual(output, samples)
        let result = try await pusher.value
        XCTAssertEqual(result, .accepted)
    }

    func testAReaderThatWaitsIsWokenByAudioAndByTheEnd() async throws {
        let source = try PushAudioSource()
        let reader = Task { try await PushAudioSourceTests.drain(source) }
        XCTAssertEqual(source.push([1, 2, 3].littleEndianData), .accepted)
        source.stop()
        let output = try await reader.value
        XCTAssertEqual(output, [1, 2, 3])
    }

    func testCancellationEndsEveryWait() async throws {
        let source = try PushAudioSource(bufferLimit: 3_200)
        let pusher = Task { try await source.pushWhenWritable(Data(count: 10_000)) }
        pusher.cancel()
        do {
            _ = try await pusher.value
            XCTFail("not cancelled")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        let idle = try PushAudioSource()
        let reader = Task { try await idle.nextChunk() }
        reader.cancel()
        do {
            _ = try await reader.value
            XCTFail("not cancelled")
        } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
        XCTAssertEqual(idle.push(Data(count: 2)), .finished)
    }

    func testAWaitingPushLearnsOfTheEnd() async throws {
        let source = try PushAudioSource(bufferLimit: 3_200)
        let pusher = Task { try await source.pushWhenWritable(Data(count: 10_000)) }
        source.finish()
        let result = try await pusher.value
        XCTAssertEqual(result, .finished)
    }
}
