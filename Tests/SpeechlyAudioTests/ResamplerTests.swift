import Foundation
import XCTest

@testable import SpeechlyAudio

final class ResamplerTests: XCTestCase {
    private let rates: [Double] = [8_000, 11_025, 12_000, 16_000, 16_001, 22_050, 24_000, 44_100, 48_000, 96_000]

    /// Feeds `input` in pieces of random size, empty ones and ones that cut frames included.
    private func resample(_ input: [Int16], with resampler: Resampler, cutBy generator: inout SeededGenerator)
        -> [Int16]
    {
        var output: [Int16] = []
        var position = 0
        while position < input.count {
            let count = min(input.count - position, Int.random(in: 0...Int.random(in: 1...3000), using: &generator))
            output += resampler.process(Array(input[position..<position + count]))
            position += count
        }
        return output + resampler.flush()
    }

    func testOutputDoesNotDependOnHowTheInputIsCut() throws {
        var generator = SeededGenerator(seed: 1)
        for rate in rates {
            for channels in 1...3 {
                let frames = Int.random(in: 1...9000, using: &generator)
                let input = Signals.noise(frames * channels, seed: UInt64(rate) + UInt64(channels))
                let whole = try Resampler(inputRate: rate, inputChannels: channels)
                let expected = whole.process(input) + whole.flush()
                XCTAssertEqual(expected.count, Int((Double(frames) * 16_000 / rate).rounded(.up)), "\(rate) Hz")
                for _ in 0..<3 {
                    let cut = try Resampler(inputRate: rate, inputChannels: channels)
                    let output = resample(input, with: cut, cutBy: &generator)
                    XCTAssertEqual(output, expected, "\(rate) Hz, \(channels) channels")
                }
            }
        }
    }

    func testAFlushedOrResetResamplerStartsAfresh() throws {
        let input = Signals.noise(5000, seed: 7)
        let resampler = try Resampler(inputRate: 44_100, inputChannels: 2, outputChannels: 2)
        let first = resampler.process(input) + resampler.flush()
        XCTAssertEqual(resampler.process(input) + resampler.flush(), first)
        _ = resampler.process(Array(input.dropLast(1)))
        resampler.reset()
        XCTAssertEqual(resampler.process(input) + resampler.flush(), first)
    }

    func testEqualRatesPassSixteenBitSamplesThrough() throws {
        let every = (Int(Int16.min)...Int(Int16.max)).map { Int16($0) }
        let mono = try Resampler(inputRate: 16_000)
        XCTAssertEqual(mono.process(every), every)
        XCTAssertEqual(mono.flush(), [])
        XCTAssertEqual(mono.latency, 0)
        let stereo = try Resampler(inputRate: 44_100, outputRate: 44_100, inputChannels: 2, outputChannels: 2)
        XCTAssertEqual(stereo.process(every), every)
    }

    func testPassbandIsFlatAndAliasesAreGone() throws {
        for rate in [44_100.0, 48_000, 96_000] {
            let resampler = try Resampler(inputRate: rate)
            for frequency in [300.0, 1_000, 3_000, 5_000, 7_000] {
                let output =
                    resampler.process(Signals.tone(frequency, rate: rate, count: Int(rate))) + resampler.flush()
                let level = Signals.amplitude(output[1_600..<14_400], at: frequency, rate: 16_000)
                XCTAssertEqual(Signals.decibels(level, over: 0.9), 0, accuracy: 0.5, "\(frequency) Hz at \(rate) Hz")
            }
            for frequency in [9_000.0, 10_000, 12_000, 15_000, 20_000] {
                let output =
                    resampler.process(Signals.tone(frequency, rate: rate, count: Int(rate))) + resampler.flush()
                let level = Signals.equivalentAmplitude(output[1_600..<14_400])
                XCTAssertLessThanOrEqual(
                    Signals.decibels(level, over: 0.9), -80, "alias of \(frequency) Hz at \(rate) Hz")
            }
        }
    }

    func testWhatIsAtATimeStaysAtThatTime() throws {
        for rate in [8_000.0, 44_100, 48_000] {
            for time in [0.0, 0.1, 0.25, 0.4999] {
                let frames = Int(rate / 2)
                var input = [Float](repeating: 0, count: frames)
                input[min(frames - 1, Int(time * rate))] = 0.9
                let resampler = try Resampler(inputRate: rate)
                let output = resampler.process(input) + resampler.flush()
                XCTAssertEqual(output.count, 8_000)
                let peak = output.indices.max { output[$0].magnitude < output[$1].magnitude } ?? -1
                XCTAssertEqual(Double(peak) / 16_000, time, accuracy: 0.000_13, "\(rate) Hz")
                XCTAssertGreaterThan(output[peak], 1_000)
            }
        }
    }

    func testAddedLatencyIsAtMostSixMilliseconds() throws {
        for rate in [44_100.0, 48_000] {
            let resampler = try Resampler(inputRate: rate)
            XCTAssertLessThanOrEqual(resampler.latency, 0.006)
            let output = resampler.process([Int16](repeating: 0, count: Int(rate / 10)))
            XCTAssertGreaterThanOrEqual(Double(output.count) / 16_000, 0.1 - 0.006)
        }
    }

    func testFloatsAreClampedAndNotANumberIsSilence() throws {
        let input: [Float] = [0, 1, 1.2, -1, -1.2, .nan, .infinity, -.infinity, 0.5, .signalingNaN]
        let expected: [Int16] = [0, 32767, 32767, -32768, -32768, 0, 32767, -32768, 16384, 0]
        XCTAssertEqual(try Resampler(inputRate: 16_000).process(input), expected)
        let filtered = try Resampler(inputRate: 48_000)
        let square = (0..<48_000).map { Float($0 / 24 % 2 == 0 ? 5 : -5) } + [.nan]
        let output = filtered.process(square) + filtered.flush()
        XCTAssertEqual(output.count, 16_001)
        XCTAssertEqual(output.max(), 32767)
        XCTAssertEqual(output.min(), -32768)
    }

    func testChannelsAreAveragedWithoutOverflowOrPicked() throws {
        let input: [Int16] = [32767, 32767, -32768, -32768, 100, 50, 32767, -32768]
        XCTAssertEqual(
            try Resampler(inputRate: 16_000, inputChannels: 2).process(input), [32767, -32768, 75, 0])
        XCTAssertEqual(
            try Resampler(inputRate: 16_000, inputChannels: 2, selection: .channel(1)).process(input),
            [32767, -32768, 50, -32768])
        XCTAssertEqual(try Resampler(inputRate: 16_000, outputChannels: 2).process([1, 2] as [Int16]), [1, 1, 2, 2])
    }

    func testWiderIntegersAreRounded() throws {
        let resampler = try Resampler(inputRate: 16_000)
        var output = Data()
        let packed: [UInt8] = [0x7F, 1, 0, 0x81, 1, 0, 0, 0, 0x80, 0xFF, 0xFF, 0x7F]
        packed.withUnsafeBytes { resampler.process($0, as: .int24, into: &output) }
        let wide: [Int32] = [.max, .min, 0x18001, -0x18001, 0]
        wide.withUnsafeBytes { resampler.process($0, as: .int32, into: &output) }
        XCTAssertEqual(output.samples, [1, 2, -32768, 32767, 32767, -32768, 2, -2, 0])
    }

    func testUnusableArgumentsAreRefused() {
        func failure(_ make: () throws(ResamplerError) -> Resampler) -> ResamplerError? {
            do { _ = try make() } catch { return error }
            return nil
        }
        for rate in [0, -16_000, 999, 768_001, 44_100.5, Double.nan, .infinity] {
            let error = failure { () throws(ResamplerError) in try Resampler(inputRate: rate) }
            XCTAssertTrue(error?.description.contains("must be a whole number") ?? false, "\(rate)")
        }
        XCTAssertEqual(
            failure { () throws(ResamplerError) in try Resampler(inputRate: 8_000, inputChannels: 0) },
            .unsupportedChannels(input: 0, output: 1))
        XCTAssertEqual(
            failure { () throws(ResamplerError) in
                try Resampler(inputRate: 8_000, inputChannels: 3, outputChannels: 2)
            },
            .unsupportedChannels(input: 3, output: 2))
        XCTAssertEqual(
            failure { () throws(ResamplerError) in
                try Resampler(inputRate: 8_000, inputChannels: 2, selection: .channel(2))
            },
            .noSuchChannel(2, channels: 2))
        XCTAssertEqual(
            failure { () throws(ResamplerError) in try Resampler(inputRate: 8_000, quality: 11) },
            .unsupportedQuality(11))
    }
}
