import XCTest

@testable import SpeechlyService

final class NoiseReductionTests: XCTestCase {
    func testKeepsTheLengthAndTheClock() {
        for count in [0, 1, 159, 160, 161, 4_000, 16_001] {
            XCTAssertEqual(NoiseReduction.cleaned([Int16](repeating: 0, count: count)).count, count)
        }
        // A click stays where it was, to within a frame of the engine.
        var samples = [Int16](repeating: 0, count: 16_000)
        for index in 8_000..<8_080 { samples[index] = index % 2 == 0 ? 20_000 : -20_000 }
        let cleaned = NoiseReduction.cleaned(samples)
        let loudest = cleaned.indices.max { abs(Int(cleaned[$0])) < abs(Int(cleaned[$1])) }
        XCTAssertEqual(Double(loudest ?? 0), 8_040, accuracy: 160)
    }

    func testEqualAudioStaysEqual() {
        let samples = noise(count: 20_000, deviation: 500)
        XCTAssertEqual(NoiseReduction.cleaned(samples), NoiseReduction.cleaned(samples))
    }

    func testLoudAudioAtTheLimitsIsClamped() {
        let samples = (0..<8_000).map { $0 / 40 % 2 == 0 ? Int16.max : Int16.min }
        XCTAssertEqual(NoiseReduction.cleaned(samples).count, samples.count)
    }

    func testTakesSteadyNoiseDown() {
        let samples = noise(count: 48_000, deviation: 500)
        XCTAssertLessThan(power(NoiseReduction.cleaned(samples)[16_000...]), power(samples[16_000...]) / 8)
    }

    func testHearsCommandsInWhiteNoise() async throws {
        let sal = try XCTUnwrap(SpeechCase.configuration().sal)
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        for item in try SpeechCase.all() {
            let samples = try await item.samples()
            let voiced = samples.filter { abs(Int($0)) > 100 }
            let hiss = noise(count: samples.count, deviation: (power(voiced[...]) / 100).squareRoot())
            let noisy = zip(samples, hiss).map { Int16(clamping: Int($0) + Int($1)) }
            // A word that means nothing, as "the", may get lost.
            let heard = sal.understand(try recognizer.recognize(noisy).map(\.text))
            XCTAssertEqual(heard.map(\.intent), [item.intent], item.file)
            XCTAssertEqual(heard.flatMap { $0.entities.map(\.value) }, item.entities.map(\.value), item.file)
        }
    }

    func testHearsCommandsAmidDigitalSilence() async throws {
        let recognizer = try PocketSphinxRecognizer(task: SpeechCase.task())
        let silence = [Int16](repeating: 0, count: 12_000)
        for item in try SpeechCase.all() {
            let samples = try await item.samples()
            XCTAssertEqual(
                try recognizer.recognize(silence + samples + silence).map(\.text).joined(separator: " "), item.text,
                item.file)
        }
    }

    private func power(_ samples: ArraySlice<Int16>) -> Double {
        samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }

    private func noise(count: Int, deviation: Double) -> [Int16] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            var sum = -6.0
            for _ in 0..<12 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                sum += Double(state >> 11) * 0x1p-53
            }
            return Int16(sum * deviation)
        }
    }
}
