import Foundation
import XCTest

@testable import SpeechlyAudio

final class VoiceActivityGateTests: XCTestCase {
    /// Samples whose order can be seen: quiet or loud, with a count in the lower bits.
    private func samples(_ count: Int, from first: Int, isLoud: Bool) -> [Int16] {
        (first..<first + count).map { isLoud ? Int16(20_000 + $0 % 500) : Int16($0 % 5) }
    }

    private func audio(of outputs: [VoiceActivityGate.Output]) -> [Int16] {
        outputs.reduce(into: Data()) { if case .audio(let data) = $1 { $0.append(data) } }.samples
    }

    func testTheHistoryComesFirstAndNoSampleTwiceHoweverTheAudioIsCut() {
        let quiet = samples(480 * 40, from: 0, isLoud: false)
        let loud = samples(480 * 20 + 100, from: quiet.count, isLoud: true)
        let all = quiet + loud
        for size in [1, 7, 480, 481, 1_600, all.count] {
            var gate = VoiceActivityGate()
            var outputs: [VoiceActivityGate.Output] = []
            var position = 0
            while position < all.count {
                let end = min(all.count, position + size)
                outputs += gate.process(Array(all[position..<end]).littleEndianData)
                position = end
            }
            outputs += gate.finish()
            XCTAssertEqual(outputs.first, .started, "\(size)")
            XCTAssertEqual(outputs.last, .ended, "\(size)")
            XCTAssertEqual(outputs.filter { $0 == .started || $0 == .ended }.count, 2, "\(size)")
            // Eight frames up to the fourth loud one, and all that follow to the last sample.
            XCTAssertEqual(audio(of: outputs), Array(all[(480 * 36)...]), "\(size)")
        }
    }

    func testTheHistoryIsNeverShorterThanTheSearch() {
        var gate = VoiceActivityGate(parameters: VoiceActivityParameters(historyFrames: 1))
        _ = gate.process(samples(480 * 10, from: 0, isLoud: false).littleEndianData)
        let outputs = gate.process(samples(480 * 4, from: 0, isLoud: true).littleEndianData)
        XCTAssertEqual(audio(of: outputs).count, 480 * 5)
    }

    func testSilenceLetsNothingThrough() {
        var gate = VoiceActivityGate(sampleRate: 48_000, channels: 2)
        XCTAssertEqual(gate.process(Data(count: 2_000_000)), [])
        XCTAssertEqual(gate.finish(), [])
    }
}
