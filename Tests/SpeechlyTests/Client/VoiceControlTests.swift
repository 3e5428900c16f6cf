import Foundation
import XCTest

@testable import Speechly

final class VoiceControlTests: XCTestCase {
    private let quiet = Data(count: 960)
    private let loud = Data((0..<480).flatMap { _ in [0x00, 0x40] as [UInt8] })

    private func control() -> VoiceControl {
        VoiceControl(sampleRate: 16_000, channels: 1, parameters: VoiceActivityParameters())
    }

    private func feed(_ control: inout VoiceControl, _ frame: Data, _ count: Int) -> [VoiceControl.Action] {
        (0..<count).flatMap { _ in control.recorded(frame) }
    }

    private func kinds(_ actions: [VoiceControl.Action]) -> [VoiceControl.Action] {
        actions.filter { if case .audio = $0 { false } else { true } }
    }

    func testSpeechOpensAContextWithItsHistoryAndSilenceClosesIt() {
        var control = control()
        let options = ContextOptions(vocabulary: ["x"])
        XCTAssertEqual(control.begin(appId: "a", options: options, recorderIsFree: true), [.startRecorder])
        XCTAssertTrue(control.controlsListening && control.ownsRecorder)
        XCTAssertEqual(feed(&control, quiet, 20), [])
        let start = feed(&control, loud, 4)
        XCTAssertEqual(start.prefix(2), [.speechStarted, .open(appId: "a", options: options)])
        XCTAssertEqual(start.last, .audio(quiet + quiet + quiet + quiet + loud + loud + loud + loud))
        XCTAssertTrue(control.isSpeech)
        XCTAssertEqual(feed(&control, loud, 1), [.audio(loud)])
        XCTAssertEqual(kinds(feed(&control, quiet, 150)), [.close, .speechEnded])
        XCTAssertEqual(kinds(feed(&control, loud, 4)), [.speechStarted, .open(appId: "a", options: options)])
    }

    func testAStopLetsTheTailInAndAlwaysCloses() {
        var control = control()
        _ = control.begin(appId: nil, options: ContextOptions(), recorderIsFree: true)
        _ = feed(&control, loud, 10)
        XCTAssertEqual(control.end(), [.stopRecorder])
        XCTAssertEqual(control.end(), [])
        XCTAssertEqual(control.recorded(loud), [.audio(loud)])
        XCTAssertEqual(control.recorded(Data(loud.prefix(10))), [])
        XCTAssertEqual(control.recorderStopped(), [.audio(Data(loud.prefix(10))), .close, .speechEnded])
        XCTAssertFalse(control.controlsListening)
        XCTAssertEqual(control.recorded(loud), [])
    }

    func testItWaitsForAnotherRecordingToEnd() {
        var control = control()
        XCTAssertEqual(control.begin(appId: nil, options: ContextOptions(), recorderIsFree: false), [])
        XCTAssertTrue(control.waitsForRecorder && !control.ownsRecorder)
        XCTAssertEqual(control.recorded(loud), [])
        XCTAssertEqual(control.recorderIsFree(), [.startRecorder])
        XCTAssertTrue(control.ownsRecorder)
        var other = self.control()
        _ = other.begin(appId: nil, options: ContextOptions(), recorderIsFree: false)
        XCTAssertEqual(other.end(), [])
        XCTAssertEqual(other.recorderIsFree(), [])
    }

    func testALostDeviceClosesAndOneThatIsBackGoesOn() {
        var control = control()
        _ = control.begin(appId: nil, options: ContextOptions(), recorderIsFree: true)
        _ = feed(&control, loud, 10)
        XCTAssertEqual(control.recorderStopped(), [.close, .speechEnded])
        XCTAssertTrue(control.controlsListening)
        XCTAssertTrue(control.recorderRestarted())
        XCTAssertEqual(kinds(feed(&control, loud, 4)), [.speechStarted, .open(appId: nil, options: ContextOptions())])
        _ = control.recorderStopped()
        XCTAssertEqual(control.end(), [.stopRecorder])
        XCTAssertFalse(control.recorderRestarted())
    }

    func testEverythingAtOnceEndsSpeechToo() {
        var control = control()
        _ = control.begin(appId: nil, options: ContextOptions(), recorderIsFree: true)
        _ = feed(&control, loud, 10)
        XCTAssertEqual(control.cancel(), [.speechEnded])
        XCTAssertFalse(control.controlsListening)
        XCTAssertEqual(control.cancel(), [])
    }

    func testContextsOfTheOwnerAreOnlyObserved() {
        var control = control()
        XCTAssertEqual((0..<10).flatMap { _ in control.observed(loud) }, [])
        control.observes = true
        XCTAssertEqual((0..<10).flatMap { _ in control.observed(loud) }, [.speechStarted])
        XCTAssertEqual(control.observedEnd(), [.speechEnded])
        XCTAssertEqual(control.observedEnd(), [])
    }
}
