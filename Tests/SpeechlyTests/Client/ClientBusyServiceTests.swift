import Foundation
import SpeechlyCore
import XCTest

@testable import Speechly

/// A service that is slower than its client: what is timed, and how far a source is read.
final class ClientBusyServiceTests: XCTestCase {
    private typealias Machine = ClientStateMachine

    private let options = ContextOptions()

    /// A machine of 1,000 bytes a second with one started context "c" of an external source.
    private func transcribing(limit: Duration? = .seconds(40)) -> Machine {
        var settings = Machine.Settings()
        settings.bytesPerSecond = 1000
        settings.contextLimit = limit
        settings.place = "grpc://there"
        var machine = Machine(settings: settings)
        _ = machine.start(id: 1, appId: nil, options: options, source: .external, now: .zero)
        bringUp(&machine, now: .zero)
        _ = machine.contextStarted("c", now: .zero)
        return machine
    }

    private func bringUp(_ machine: inout Machine, now: Duration) {
        _ = machine.loggedIn(session: machine.session)
        send(machine.connected(session: machine.session, now: now), &machine, now: now)
    }

    /// The sender sends all it is given.
    @discardableResult
    private func send(_ actions: [Machine.Action], _ machine: inout Machine, now: Duration) -> [Machine.Command] {
        let commands = actions.compactMap { action -> Machine.Command? in
            if case .send(let command, _) = action { return command }
            return nil
        }
        for command in commands { _ = machine.sent(command, session: machine.session, now: now) }
        return commands
    }

    /// Supplies seconds of speech as long as there is room.
    ///
    /// - Returns: what was sent.
    @discardableResult
    private func supply(_ seconds: Int, _ machine: inout Machine, now: Duration) -> [Machine.Command] {
        var commands: [Machine.Command] = []
        for _ in 0..<seconds where machine.hasRoomForAudio {
            let loud = Data((0..<1000).map { $0 % 2 == 0 ? 0 : 0x40 })
            commands += send(machine.supplied(loud, utterance: 1), &machine, now: now)
        }
        return commands
    }

    private func hear(
        _ content: RecognitionMessage.Content, _ contextId: String, _ machine: inout Machine, now: Duration
    ) -> [Machine.Action] {
        var actions: [Machine.Action] = []
        let message = RecognitionMessage(contextId: contextId, segmentId: 0, content: content)
        for result in machine.results(of: message, now: now, &actions) where result.content == .finished {
            actions += machine.contextFinished(result.contextId, now: now)
        }
        return actions
    }

    private func starts(_ commands: [Machine.Command]) -> [Int] {
        commands.compactMap { if case .start(_, _, _, let from) = $0 { from } else { nil } }
    }

    func testAFollowOnContextIsTimedFromWhenTheOneBeforeIsFinished() {
        var machine = transcribing()
        XCTAssertEqual(starts(supply(40, &machine, now: .seconds(1))), [35_000])
        // The service is busy with the first context, and shows it now and then.
        for second in stride(from: 25, through: 100, by: 25) {
            _ = hear(.tentativeTranscript([]), "c", &machine, now: .seconds(second))
            XCTAssertFalse(machine.timerFired(now: .seconds(second + 24)).contains(.disconnect), "\(second)")
        }
        _ = hear(.finished, "c", &machine, now: .seconds(125))
        XCTAssertLessThanOrEqual(machine.timer ?? .seconds(1000), .seconds(135))
        XCTAssertFalse(machine.timerFired(now: .seconds(134)).contains(.disconnect))
        XCTAssertTrue(machine.timerFired(now: .seconds(135)).contains(.disconnect))
    }

    func testASilentServiceIsNoticedThoughAFollowOnContextWaits() {
        var machine = transcribing()
        supply(40, &machine, now: .seconds(1))
        XCTAssertFalse(machine.timerFired(now: .seconds(30)).contains(.disconnect))
        XCTAssertTrue(machine.timerFired(now: .seconds(31)).contains(.disconnect))
        XCTAssertEqual(machine.link, .waiting)
    }

    func testAStartOfTheHostIsTimedFromWhenTheOneBeforeIsFinished() {
        var machine = transcribing()
        send(machine.sourceEnded(utterance: 1, now: .zero), &machine, now: .seconds(1))
        send(
            machine.start(id: 2, appId: nil, options: options, source: .external, now: .seconds(2)), &machine,
            now: .seconds(2))
        for second in stride(from: 25, through: 75, by: 25) {
            XCTAssertFalse(machine.timerFired(now: .seconds(second)).contains(.disconnect), "\(second)")
            // Anything shows that the service is at work, also what is about no context.
            machine.serviceHeard(now: .seconds(second))
        }
        _ = hear(.finished, "c", &machine, now: .seconds(80))
        XCTAssertFalse(machine.timerFired(now: .seconds(89)).contains(.disconnect))
        let actions = machine.timerFired(now: .seconds(90))
        XCTAssertTrue(actions.contains(.disconnect))
        let failure = actions.compactMap { if case .failed(2, let failure) = $0 { failure } else { nil } }.first
        XCTAssertEqual(failure?.place, "grpc://there")
        XCTAssertEqual(failure?.what, "the service did not acknowledge the start within 10 s")
    }

    func testAServiceThatAcknowledgesAheadIsTimedByItsResults() {
        var machine = transcribing()
        supply(40, &machine, now: .seconds(1))
        _ = machine.contextStarted("d", now: .seconds(20))
        XCTAssertFalse(machine.timerFired(now: .seconds(49)).contains(.disconnect))
        _ = hear(.finished, "c", &machine, now: .seconds(49))
        // The second context is open for audio: nothing is owed.
        XCTAssertFalse(machine.timerFired(now: .seconds(500)).contains(.disconnect))
        send(machine.sourceEnded(utterance: 1, now: .seconds(500)), &machine, now: .seconds(500))
        XCTAssertTrue(machine.timerFired(now: .seconds(530)).contains(.disconnect))
    }

    func testASourceIsReadNoFurtherThanIsKeptAndGoesOnWhenTheServiceHasCaughtUp() {
        var machine = transcribing()
        supply(1000, &machine, now: .seconds(1))
        XCTAssertFalse(machine.hasRoomForAudio)
        XCTAssertEqual(machine.utterances[0].ring.start, 0)
        XCTAssertEqual(machine.utterances[0].ring.end, 70_000)
        let actions = hear(.finished, "c", &machine, now: .seconds(20))
        XCTAssertTrue(machine.contextStarted("d", now: .seconds(21))?.contains(.roomForAudio) ?? false, "\(actions)")
        XCTAssertTrue(machine.hasRoomForAudio)
        XCTAssertEqual(starts(supply(1000, &machine, now: .seconds(22))), [71_000])
    }

    func testAllThatIsNotCoveredIsSentAgainInContextsWithinTheLimit() {
        var machine = transcribing()
        supply(1000, &machine, now: .seconds(1))
        XCTAssertFalse(
            machine.streamEnded(session: nil, .lost(.notListening), now: .seconds(2)).contains {
                if case .stopped = $0 { true } else { false }
            })
        _ = machine.timerFired(now: .seconds(5))
        _ = machine.loggedIn(session: machine.session)
        let again = send(machine.connected(session: machine.session, now: .seconds(5)), &machine, now: .seconds(5))
        XCTAssertEqual(starts(again), [0, 35_000])
        XCTAssertEqual(again.reduce(0) { $0 + $1.byteCount }, 70_000)
        XCTAssertEqual(machine.utterances[0].parts.count, 2)
    }

    func testWithoutALimitOfTheServiceAnHourOfASourceIsKept() {
        var machine = transcribing(limit: nil)
        supply(3600, &machine, now: .seconds(1))
        XCTAssertEqual(machine.utterances[0].ring.start, 0)
        supply(1, &machine, now: .seconds(1))
        let actions = machine.streamEnded(session: nil, .lost(.notListening), now: .seconds(2))
        let outcome = actions.compactMap { if case .stopped(1, "c", let outcome) = $0 { outcome } else { nil } }.first
        guard case .failed(let failure)? = outcome else { return XCTFail("\(actions)") }
        XCTAssertEqual(failure.code, .replayExhausted)
        XCTAssertFalse(failure.remedy.contains("replayedAudio"), failure.remedy)
    }
}
