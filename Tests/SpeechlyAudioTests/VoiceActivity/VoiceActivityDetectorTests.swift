import Foundation
import XCTest

@testable import SpeechlyAudio

final class VoiceActivityDetectorTests: XCTestCase {
    /// Feeds a level for so many frames of 30 ms. Returns the changes, with the number of the frame.
    private func feed(
        _ detector: inout VoiceActivityDetector, _ level: Double, frames: Int
    ) -> [Int: VoiceActivityDetector.Change] {
        var changes: [Int: VoiceActivityDetector.Change] = [:]
        for frame in 1...frames { changes[frame] = detector.process(level: level) }
        return changes
    }

    func testDefaultsAndRangesAreSpeechlys() {
        var parameters = VoiceActivityParameters()
        XCTAssertEqual(parameters.noiseGateDb, -24)
        XCTAssertEqual(parameters.signalToNoiseDb, 3)
        XCTAssertEqual(parameters.noiseLearnHalfTime, .milliseconds(400))
        XCTAssertEqual(parameters.signalSearchFrames, 5)
        XCTAssertEqual(parameters.signalActivation, 0.7)
        XCTAssertEqual(parameters.signalRelease, 0.2)
        XCTAssertEqual(parameters.signalSustain, .milliseconds(3_000))
        XCTAssertEqual(parameters.frameLength, .milliseconds(30))
        XCTAssertEqual(parameters.historyFrames, 8)
        parameters.noiseGateDb = -100
        parameters.signalToNoiseDb = 11
        parameters.noiseLearnHalfTime = .seconds(6)
        parameters.signalSearchFrames = 33
        parameters.signalActivation = .nan
        parameters.signalSustain = .seconds(9)
        XCTAssertEqual(parameters.noiseGateDb, -90)
        XCTAssertEqual(parameters.signalToNoiseDb, 10)
        XCTAssertEqual(parameters.noiseLearnHalfTime, .seconds(5))
        XCTAssertEqual(parameters.signalSearchFrames, 32)
        XCTAssertEqual(parameters.signalActivation, 0.7)
        XCTAssertEqual(parameters.signalSustain, .seconds(8))
        XCTAssertEqual(VoiceActivityParameters(noiseGateDb: 3, historyFrames: 0).noiseGateDb, 0)
        XCTAssertEqual(VoiceActivityParameters(noiseGateDb: 3, historyFrames: 0).historyFrames, 1)
    }

    func testFourLoudFramesOfFiveStartAndThreeSecondsWithoutEnd() {
        var detector = VoiceActivityDetector()
        XCTAssertEqual(feed(&detector, 0.001, frames: 50), [:])
        XCTAssertEqual(feed(&detector, 0.1, frames: 10), [4: .started])
        // The last frame with four loud ones of five is the first quiet one; 3 s are 100 frames.
        XCTAssertEqual(feed(&detector, 0.001, frames: 200), [101: .ended])
    }

    func testASingleQuietFrameDoesNotKeepSpeechFromStarting() {
        var detector = VoiceActivityDetector()
        let levels = [0.1, 0.1, 0.0, 0.1, 0.1]
        XCTAssertEqual(levels.map { detector.process(level: $0) }, [nil, nil, nil, nil, .started])
        var other = VoiceActivityDetector()
        let sparse = [0.1, 0.1, 0.0, 0.1, 0.0, 0.1, 0.1, 0.0]
        XCTAssertEqual(sparse.compactMap { other.process(level: $0) }, [])
    }

    func testSpeechFromTheFirstFrameOnIsHeard() {
        var detector = VoiceActivityDetector()
        XCTAssertEqual(feed(&detector, 0.1, frames: 10), [4: .started])
    }

    func testWhatIsUnderTheGateIsNeverSpeech() {
        var detector = VoiceActivityDetector()
        XCTAssertEqual(feed(&detector, 0.0001, frames: 50), [:])
        XCTAssertEqual(feed(&detector, 0.0039, frames: 50), [:])
    }

    func testTheNoiseIsLearnedHalfWayInTheHalfTime() {
        var detector = VoiceActivityDetector(
            parameters: VoiceActivityParameters(noiseLearnHalfTime: .milliseconds(300)))
        _ = feed(&detector, 0, frames: 1)
        _ = feed(&detector, 0.003, frames: 10)
        XCTAssertEqual(detector.noise, 0.0015, accuracy: 1e-9)
        detector.parameters.noiseLearnHalfTime = .zero
        _ = feed(&detector, 0.001, frames: 100)
        XCTAssertEqual(detector.noise, 0.0015, accuracy: 1e-9)
    }

    func testARiseOfTheNoiseDoesNotKeepItOn() {
        var detector = VoiceActivityDetector()
        _ = feed(&detector, 0.002, frames: 100)
        let changes = feed(&detector, 0.05, frames: 1_000)
        XCTAssertEqual(changes.filter { $0.value == .started }.keys.sorted(), [4])
        let ended = changes.first { $0.value == .ended }?.key ?? .max
        XCTAssertLessThan(ended, 300)
        // Speech over the new noise is heard.
        XCTAssertEqual(feed(&detector, 0.2, frames: 10), [4: .started])
    }

    func testSpeechWithPausesStaysOn() {
        var detector = VoiceActivityDetector()
        _ = feed(&detector, 0.002, frames: 100)
        var changes: [VoiceActivityDetector.Change] = []
        // A minute of words of 300 ms with 60 ms between them.
        for _ in 0..<170 {
            changes += feed(&detector, 0.08, frames: 10).values
            changes += feed(&detector, 0.003, frames: 2).values
        }
        XCTAssertEqual(changes, [.started])
    }

    func testTheEndOfTheAudioEndsSpeechAndForgetsIt() {
        var detector = VoiceActivityDetector()
        _ = feed(&detector, 0.1, frames: 10)
        XCTAssertEqual(detector.finish(), .ended)
        XCTAssertNil(detector.finish())
        XCTAssertFalse(detector.isActive)
        // Neither loud frames nor the hold time of what came before count.
        XCTAssertEqual(feed(&detector, 0.1, frames: 3), [:])
        XCTAssertEqual(feed(&detector, 0.0, frames: 200), [:])
    }

    func testDigitalSilenceAndNonsenseHaveFiniteLevels() {
        var detector = VoiceActivityDetector()
        for level in [0.0, 0, .nan, .infinity, -.infinity, -1, 5] {
            _ = detector.process(level: level)
            XCTAssertTrue(detector.noiseDb.isFinite && detector.signalDb.isFinite)
        }
        XCTAssertEqual(VoiceActivityDetector.level([Int16.min, .min]), 1)
        XCTAssertEqual(VoiceActivityDetector.level([]), 0)
    }
}
