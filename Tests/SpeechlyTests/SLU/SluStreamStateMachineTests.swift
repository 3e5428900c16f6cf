import XCTest

@testable import Speechly

final class SluStreamStateMachineTests: XCTestCase {
    private typealias Machine = SluStreamStateMachine

    private func opened() -> Machine {
        var machine = Machine(idleTimeout: .seconds(30))
        machine.connect()
        XCTAssertEqual(machine.connected(now: .zero), [.schedule(at: .seconds(30))])
        return machine
    }

    private func assertThrows(
        _ expected: InvalidSLUState, _ body: () throws(InvalidSLUState) -> Void, line: UInt = #line
    ) {
        do {
            try body()
            XCTFail("no error", line: line)
        } catch { XCTAssertEqual(error, expected, line: line) }
    }

    func testWhatMayBeSentWhen() throws {
        var machine = Machine(idleTimeout: .seconds(30))
        assertThrows(.notConnected) { () throws(InvalidSLUState) in try machine.checkStart() }
        assertThrows(.notConnected) { () throws(InvalidSLUState) in try machine.checkAudio() }
        machine.connect()
        assertThrows(.notConnected) { () throws(InvalidSLUState) in try machine.checkStart() }
        _ = machine.connected(now: .zero)
        try machine.checkStart()
        assertThrows(.contextNotStarted) { () throws(InvalidSLUState) in try machine.checkAudio() }
        machine.startSent()
        try machine.checkAudio()
        assertThrows(.contextAlreadyStarted) { () throws(InvalidSLUState) in try machine.checkStart() }
        _ = machine.stopSent(now: .zero)
        try machine.checkStart()
        assertThrows(.contextNotStarted) { () throws(InvalidSLUState) in try machine.checkAudio() }
        machine.ended()
        assertThrows(.notConnected) { () throws(InvalidSLUState) in try machine.checkStart() }
    }

    func testIdleStreamClosesAfterItsTime() {
        var machine = opened()
        XCTAssertEqual(machine.timerFired(now: .seconds(30)), [.closeSend])
        XCTAssertFalse(machine.isOpen)
        XCTAssertFalse(machine.isIdle)
        machine.ended()
        XCTAssertTrue(machine.isIdle)
    }

    func testAContextKeepsTheStreamOpen() {
        var machine = opened()
        machine.startSent()
        XCTAssertEqual(machine.timerFired(now: .seconds(30)), [])
        XCTAssertEqual(machine.stopSent(now: .seconds(40)), [.schedule(at: .seconds(70))])
        XCTAssertTrue(machine.started(contextId: "a"))
        // The results count as well; the one timer is set again when it fires early.
        XCTAssertEqual(machine.finished(contextId: "a", now: .seconds(45)), [])
        XCTAssertEqual(machine.timerFired(now: .seconds(70)), [.schedule(at: .seconds(75))])
        XCTAssertEqual(machine.timerFired(now: .seconds(75)), [.closeSend])
    }

    func testWantingTheStreamKeepsItOpen() {
        var machine = opened()
        machine.touched(now: .seconds(29))
        XCTAssertEqual(machine.timerFired(now: .seconds(30)), [.schedule(at: .seconds(59))])
    }

    func testTheNthStartedBelongsToTheNthStart() {
        var machine = opened()
        XCTAssertFalse(machine.started(contextId: "early"))
        machine.startSent()
        _ = machine.stopSent(now: .zero)
        machine.startSent()
        XCTAssertTrue(machine.started(contextId: "a"))
        XCTAssertTrue(machine.started(contextId: "b"))
        XCTAssertFalse(machine.started(contextId: "c"))
        // "a" is not the one that is open for audio, "b" is.
        _ = machine.finished(contextId: "a", now: .zero)
        XCTAssertTrue(machine.isListening)
        _ = machine.finished(contextId: "b", now: .zero)
        XCTAssertFalse(machine.isListening)
    }

    func testDisconnectStopsTheContextFirst() {
        var machine = opened()
        machine.startSent()
        XCTAssertEqual(machine.disconnect(), [.sendStop, .closeSend])
        XCTAssertEqual(machine.disconnect(), [])
        XCTAssertEqual(machine.abort(), [.cancel])
    }

    func testAbortCancelsWhatThereIs() {
        var machine = Machine(idleTimeout: .seconds(30))
        XCTAssertEqual(machine.abort(), [])
        machine = opened()
        XCTAssertEqual(machine.abort(), [.cancel])
    }

    /// Whatever happens in whatever order, starts and stops alternate and nothing follows the half-close.
    func testRandomEventsKeepTheProtocol() {
        for seed in 0..<500 {
            var random = SplitMix(seed: UInt64(seed))
            var machine = Machine(idleTimeout: .seconds(30))
            var now = Duration.zero
            var isListening = false
            var isClosed = true
            var timers = 0
            var contexts: [String] = []
            func perform(_ actions: [Machine.Action]) {
                for action in actions {
                    switch action {
                    case .sendStop:
                        XCTAssertTrue(isListening && !isClosed, "seed \(seed)")
                        isListening = false
                    case .closeSend:
                        XCTAssertTrue(!isListening && !isClosed, "seed \(seed)")
                        isClosed = true
                    case .cancel: isClosed = true
                    case .schedule:
                        timers += 1
                        XCTAssertEqual(timers, 1, "seed \(seed)")
                    }
                }
            }
            for step in 0..<80 {
                now += .seconds(Int.random(in: 0...20, using: &random))
                switch Int.random(in: 0..<10, using: &random) {
                case 0 where machine.isIdle:
                    machine.connect()
                    perform(machine.connected(now: now))
                    (isClosed, isListening, contexts) = (false, false, [])
                case 1...3:
                    if (try? machine.checkStart()) != nil {
                        XCTAssertFalse(isListening || isClosed, "seed \(seed)")
                        machine.startSent()
                        isListening = true
                        contexts.append("\(step)")
                    }
                case 4:
                    if (try? machine.checkAudio()) != nil {
                        XCTAssertTrue(isListening && !isClosed, "seed \(seed)")
                        isListening = false
                        perform(machine.stopSent(now: now))
                    }
                case 5: if let id = contexts.first { _ = machine.started(contextId: id) }
                case 6:
                    if !contexts.isEmpty {
                        let id = contexts.removeFirst()
                        let known = machine.started(contextId: id)
                        perform(machine.finished(contextId: id, now: now))
                        _ = known
                        isListening = machine.isListening
                    }
                case 7: perform(machine.disconnect())
                case 8 where timers > 0:
                    timers -= 1
                    perform(machine.timerFired(now: now))
                case 9 where !machine.isIdle:
                    machine.ended()
                    (isClosed, isListening) = (true, false)
                default: break
                }
                XCTAssertEqual(machine.isListening, isListening, "seed \(seed)")
            }
        }
    }
}
