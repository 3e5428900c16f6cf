import XCTest

@testable import SpeechlyAudio

/// What is missing without a word from the device, and what only seems to be.
final class CaptureClockTests: XCTestCase {
    private let parameters = PCMParameters(
        sampleRate: 48_000, channels: 1, format: .int16, periodFrames: 1_440, bufferFrames: 24_000)

    /// Lets a device deliver what it has captured at each time, in seconds; returns what is found missing, and when.
    private func gaps(at times: some Sequence<Double>, captured: (Double) -> Double) -> [(time: Double, frames: Int)] {
        var clock = CaptureClock(parameters)
        var read = 0
        return times.compactMap { time in
            let available = Int(captured(time) * 48_000) - read
            guard available > 0 else { return nil }
            // No more than a buffer is ever said to be there.
            let count = min(available, parameters.bufferFrames)
            read += count
            let frames = clock.read(count, available: count, at: UInt64((time + 100) * 1e9))
            return frames > 0 ? (time, frames) : nil
        }
    }

    private func periods(_ end: Double) -> StrideTo<Double> { stride(from: 0.03, to: end, by: 0.03) }

    func testAudioThatVanishedIsMissing() throws {
        let found = gaps(at: periods(20)) { $0 < 8 ? $0 : $0 - 0.5 }
        XCTAssertEqual(found.count, 1)
        let gap = try XCTUnwrap(found.first)
        XCTAssertEqual(Double(gap.frames) / 48_000, 0.5, accuracy: 0.03)
        XCTAssertLessThan(gap.time, 13)
    }

    func testEachGapIsFoundAndTheSumIsRight() {
        let found = gaps(at: periods(60)) { $0 - 0.2 * Double(Int($0 / 10)) }
        XCTAssertEqual(found.count, 5)
        XCTAssertEqual(Double(found.reduce(0) { $0 + $1.frames }) / 48_000, 1, accuracy: 0.05)
    }

    func testManySmallGapsAreFoundTogether() {
        // 28 ms, 16 times in three seconds, as PulseAudio throws away what a late program does not read.
        let found = gaps(at: periods(20)) { $0 - 0.028 * min(16, max(0, ($0 - 5) * 5).rounded(.down)) }
        XCTAssertEqual(Double(found.reduce(0) { $0 + $1.frames }) / 48_000, 0.448, accuracy: 0.05)
    }

    func testAClockThatIsNotExactLosesNothing() {
        for drift in [-0.004, -0.0002, -0.00005, 0.00005, 0.0002, 0.004] {
            XCTAssertEqual(gaps(at: periods(3_600)) { $0 * (1 + drift) }.count, 0, "\(drift)")
        }
    }

    func testASlowStartLosesNothing() {
        // A piece, and the next only after most of two seconds, when it goes on.
        XCTAssertEqual(gaps(at: periods(20)) { $0 < 0.05 ? $0 : max(0.03, $0 - 1.38) }.count, 0)
        XCTAssertEqual(gaps(at: periods(20)) { max(0, $0 - 3) }.count, 0)
    }

    func testAudioThatComesLateIsNotMissing() {
        for pause in [0.3, 1, 3, 15.0] {
            XCTAssertEqual(gaps(at: periods(60)) { $0 < 8 || $0 > 8 + pause ? $0 : 8 }.count, 0, "\(pause)")
        }
        // At 1.1 times real time only.
        XCTAssertEqual(gaps(at: periods(60)) { $0 < 8 ? $0 : min($0, 8 + max(0, $0 - 10) * 1.1) }.count, 0)
    }

    func testALateThreadLosesNothing() {
        var generator = SeededGenerator(seed: 3)
        var time = 0.0
        let times = (0..<20_000).map { _ in
            time +=
                0.03
                + (Int.random(in: 0..<50, using: &generator) == 0 ? Double.random(in: 0...0.4, using: &generator) : 0)
            return time
        }
        XCTAssertEqual(gaps(at: times) { $0 }.count, 0)
    }

    func testLargePiecesLoseNothing() {
        for piece in [0.1, 0.4, 2.0] {
            XCTAssertEqual(gaps(at: periods(120)) { ($0 / piece).rounded(.down) * piece }.count, 0, "\(piece)")
        }
    }
}
