import SpeechlyGRPC
import XCTest

@testable import SpeechlyTesting

final class ScriptRunnerTests: XCTestCase {
    private func names(_ actions: [StreamScript.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .send(let message): message == .started ? "started" : message == .finished ? "finished" : "message"
            case .end(let status): "end \(status.code)"
            case .dropConnections: "drop"
            case .stopReading: "stop reading"
            default: "other"
            }
        }
    }

    func testBehavesWellByItselfAroundWhatIsScripted() {
        var runner = ScriptRunner(StreamScript().on(.start(), .dropConnections).on(.stop(), .dropConnections))
        XCTAssertEqual(names(runner.actions(for: .config)), [])
        XCTAssertEqual(names(runner.actions(for: .start(1))), ["started", "drop"])
        XCTAssertEqual(names(runner.actions(for: .stop(1))), ["drop", "finished"])
        XCTAssertEqual(names(runner.actions(for: .halfClose)), ["end OK"])
    }

    func testDoesOnlyWhatIsScriptedOtherwise() {
        var runner = ScriptRunner(StreamScript(automatic: false).on(.stop(2), .stopReading))
        for event in [StreamScript.Trigger.start(1), .stop(1), .start(2), .halfClose] {
            XCTAssertEqual(names(runner.actions(for: event)), [], "\(event)")
        }
        XCTAssertEqual(names(runner.actions(for: .stop(2))), ["stop reading"])
    }

    func testFiresAudioOncePerContextWhenEnoughHasCome() {
        var runner = ScriptRunner(StreamScript().on(.audio(100), .dropConnections))
        XCTAssertEqual(names(runner.actions(for: .audio(99, context: 1))), [])
        XCTAssertEqual(names(runner.actions(for: .audio(150, context: 1))), ["drop"])
        XCTAssertEqual(names(runner.actions(for: .audio(200, context: 1))), [])
        XCTAssertEqual(names(runner.actions(for: .audio(100, context: 2))), ["drop"])
    }

    func testFiresForOneContextOnly() {
        var runner = ScriptRunner(StreamScript(automatic: false).on(.audio(1, context: 2), .dropConnections))
        XCTAssertEqual(names(runner.actions(for: .audio(10, context: 1))), [])
        XCTAssertEqual(names(runner.actions(for: .audio(10, context: 2))), ["drop"])
    }

    func testKeepsTheOrderOfRulesAndTellsDemandsApart() {
        let script = StreamScript(automatic: false)
            .on(.demand("a"), .dropConnections).on(.demand("b"), .stopReading).on(.demand("a"), .end(.ok))
        var runner = ScriptRunner(script)
        XCTAssertEqual(names(runner.actions(for: .demand("a"))), ["drop", "end OK"])
        XCTAssertEqual(names(runner.actions(for: .demand("c"))), [])
    }
}
