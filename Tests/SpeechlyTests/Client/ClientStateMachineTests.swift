import Foundation
import XCTest

@testable import Speechly

final class ClientStateMachineTests: XCTestCase {
    private typealias Machine = ClientStateMachine

    private let options = ContextOptions()

    private func machine(_ configure: (inout Machine.Settings) -> Void = { _ in }) -> Machine {
        var settings = Machine.Settings()
        configure(&settings)
        return Machine(settings: settings)
    }

    /// A machine with a stream that is up, and one utterance that the service has started as "c".
    private func listening() -> Machine {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.sent(.start(utterance: 1, appId: nil, options: options), session: 1, now: .zero)
        XCTAssertEqual(machine.contextStarted("c", now: .zero), [.started(utterance: 1, contextId: "c")])
        return machine
    }

    private func sends(_ actions: [Machine.Action]) -> [Machine.Command] {
        actions.compactMap {
            if case .send(let command, _) = $0 { return command }
            return nil
        }
    }

    func testTheMicrophoneOpensBeforeTheLogin() {
        var machine = machine()
        XCTAssertEqual(
            machine.start(id: 1, appId: "a", options: options, source: .microphone, now: .zero),
            [.startRecorder(utterance: 1), .login(session: 1, renew: false)])
        XCTAssertEqual(machine.recorded(Data([1, 2]), now: .zero), [])
        XCTAssertEqual(machine.loggedIn(session: 1), [.connect(session: 1, fresh: false)])
        XCTAssertEqual(
            sends(machine.connected(session: 1, now: .zero)),
            [.start(utterance: 1, appId: "a", options: options), .audio(utterance: 1, Data([1, 2]))])
    }

    func testStopWaitsForTheRecordersTail() {
        var machine = listening()
        XCTAssertEqual(machine.stop(now: .zero), [.stopRecorder, .schedule(at: .milliseconds(2500))])
        XCTAssertEqual(machine.stop(now: .zero), [])
        XCTAssertEqual(sends(machine.recorded(Data([1, 2]), now: .zero)), [.audio(utterance: 1, Data([1, 2]))])
        XCTAssertEqual(sends(machine.recorderStopped(now: .zero)), [.stop(utterance: 1)])
        XCTAssertEqual(machine.contextFinished("c", now: .zero), [.stopped(utterance: 1, contextId: "c", .complete)])
    }

    func testARecorderThatNeverReportsItsStopIsNotWaitedFor() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        XCTAssertEqual(sends(machine.timerFired(now: .milliseconds(2499))), [])
        XCTAssertEqual(sends(machine.timerFired(now: .milliseconds(2500))), [.stop(utterance: 1)])
    }

    func testStartDuringATailWaitsForTheRecorderToSayWhoseAudioItIs() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        XCTAssertEqual(
            machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero),
            [.startRecorder(utterance: 2), .schedule(at: .milliseconds(500))])
        XCTAssertEqual(machine.recorded(Data([1, 0]), now: .zero), [])
        XCTAssertEqual(
            sends(machine.recorderStopped(now: .zero)),
            [
                .audio(utterance: 1, Data([1, 0])), .stop(utterance: 1),
                .start(utterance: 2, appId: nil, options: options),
            ])
        XCTAssertEqual(sends(machine.recorded(Data([2, 0]), now: .zero)), [.audio(utterance: 2, Data([2, 0]))])
    }

    func testWithoutAWordOfTheRecorderTheAudioIsTheNewUtterances() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        _ = machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.recorded(Data([1, 0]), now: .zero)
        XCTAssertEqual(
            sends(machine.timerFired(now: .milliseconds(500))),
            [
                .stop(utterance: 1), .start(utterance: 2, appId: nil, options: options),
                .audio(utterance: 2, Data([1, 0])),
            ])
    }

    func testAnotherAppTakesOverWithoutTouchingTheMicrophone() {
        var machine = listening()
        let actions = machine.start(id: 2, appId: "b", options: options, source: .microphone, now: .zero)
        XCTAssertEqual(sends(actions), [.stop(utterance: 1), .start(utterance: 2, appId: "b", options: options)])
        XCTAssertFalse(actions.contains { if case .startRecorder = $0 { true } else { false } })
        XCTAssertEqual(sends(machine.recorded(Data([1, 0]), now: .zero)), [.audio(utterance: 2, Data([1, 0]))])
    }

    func testTheSameAppJoins() {
        var machine = listening()
        XCTAssertEqual(
            machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero),
            [.join(utterance: 1, request: 2)])
    }

    func testTooMuchWaitingAudioIsReportedOncePerLoss() {
        var machine = machine { $0.maximumBufferedBytes = 4 }
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        let chunk = Data([1, 2])
        XCTAssertEqual(machine.recorded(chunk, now: .zero), [])
        XCTAssertEqual(machine.recorded(chunk, now: .zero), [])
        XCTAssertEqual(machine.recorded(chunk, now: .zero), [.report(.audioLost(bytes: 4, isUp: false))])
        XCTAssertEqual(machine.recorded(chunk, now: .zero), [])
        _ = machine.loggedIn(session: 1)
        XCTAssertEqual(sends(machine.connected(session: 1, now: .zero)).count, 3)
        _ = machine.sent(.audio(utterance: 1, chunk), session: 1, now: .zero)
        XCTAssertEqual(sends(machine.recorded(chunk, now: .zero)), [.audio(utterance: 1, chunk)])
        XCTAssertEqual(machine.recorded(chunk, now: .zero), [.report(.audioLost(bytes: 4, isUp: true))])
    }

    func testAPieceOfALongContextCostsWhatAPieceOfAShortOneDoes() {
        var machine = listening()
        func cost(of pieces: Int) -> Double {
            let start = threadTime()
            for _ in 0..<pieces {
                for command in sends(machine.recorded(Data([1, 2]), now: .zero)) {
                    _ = machine.sent(command, session: 1, now: .zero)
                }
            }
            return threadTime() - start
        }
        _ = cost(of: 500)
        let first = cost(of: 500)
        _ = cost(of: 20_000)
        // Twenty and more times as much if all that is kept is copied.
        XCTAssertLessThan(cost(of: 500), 6 * first)
    }

    /// The processor time of this thread, in seconds.
    private func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func testALoginFailureEndsEveryStartOnce() {
        var machine = machine()
        _ = machine.start(id: 1, appId: "a", options: options, source: .microphone, now: .zero)
        _ = machine.start(id: 2, appId: "b", options: options, source: .microphone, now: .zero)
        let actions = machine.linkFailed(session: 1, .notListening, now: .zero)
        XCTAssertEqual(
            actions.filter { if case .failed = $0 { true } else { false } },
            [.failed(utterance: 1, .notListening), .failed(utterance: 2, .notListening)])
        XCTAssertTrue(actions.contains(.stopRecorder))
        XCTAssertEqual(machine.linkFailed(session: 1, .notListening, now: .zero), [])
    }

    func testARefusedTokenSendsAgainWhatIsNotAcknowledged() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        _ = machine.recorderStopped(now: .zero)
        _ = machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.recorded(Data([5, 6]), now: .zero)
        XCTAssertEqual(
            machine.streamEnded(session: 1, .refused(.notListening), now: .zero),
            [.login(session: machine.session, renew: true)])
        _ = machine.loggedIn(session: machine.session)
        XCTAssertEqual(
            sends(machine.connected(session: machine.session, now: .zero)),
            [
                .start(utterance: 1, appId: nil, options: options), .stop(utterance: 1),
                .start(utterance: 2, appId: nil, options: options), .audio(utterance: 2, Data([5, 6])),
            ])
        XCTAssertTrue(
            machine.streamEnded(session: machine.session, .refused(.notListening), now: .zero)
                .contains(.failed(utterance: 2, .notListening)))
    }

    func testADeadConnectionThatIsNoticedLateCostsNothing() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        _ = machine.recorderStopped(now: .zero)
        _ = machine.contextFinished("c", now: .zero)
        // The idle stream is dead, and nobody has noticed: neither when it takes the start …
        _ = machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.recorded(Data([5, 6]), now: .zero)
        XCTAssertEqual(
            machine.sendFailed(session: 1, .lost(.notListening), now: .zero),
            [.login(session: machine.session, renew: false)])
        // … nor when the network gives a dead connection to the next streams.
        for _ in 2...3 {
            XCTAssertEqual(
                machine.loggedIn(session: machine.session), [.connect(session: machine.session, fresh: true)])
            XCTAssertEqual(
                sends(machine.connected(session: machine.session, now: .zero)),
                [.start(utterance: 2, appId: nil, options: options), .audio(utterance: 2, Data([5, 6]))])
            let actions = machine.streamEnded(session: machine.session, .lost(.notListening), now: .zero)
            guard case .schedule(let deadline)? = actions.last else { return XCTFail("\(actions)") }
            XCTAssertEqual(
                machine.timerFired(now: deadline), [.login(session: machine.session, renew: false)])
        }
        // The fourth lost stream is no accident.
        _ = machine.loggedIn(session: machine.session)
        _ = machine.connected(session: machine.session, now: .zero)
        XCTAssertTrue(
            machine.streamEnded(session: machine.session, .lost(.notListening), now: .zero)
                .contains(.failed(utterance: 2, .notListening)))
    }

    func testAStreamThatEndsBeforeItIsKnownToBeUp() {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.loggedIn(session: 1)
        XCTAssertEqual(machine.streamEnded(session: 1, .refused(.notListening), now: .zero), [])
        XCTAssertEqual(
            machine.connected(session: 1, now: .zero), [.login(session: machine.session, renew: true)])
        _ = machine.loggedIn(session: machine.session)
        XCTAssertEqual(
            sends(machine.connected(session: machine.session, now: .zero)),
            [.start(utterance: 1, appId: nil, options: options)])
    }

    func testWhatBelongsToAnOlderAttemptIsIgnored() {
        var machine = listening()
        _ = machine.streamEnded(session: 1, .failed(.notListening), now: .zero)
        _ = machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero)
        XCTAssertEqual(machine.loggedIn(session: 1), [])
        XCTAssertEqual(machine.linkFailed(session: 1, .notListening, now: .zero), [])
        XCTAssertEqual(machine.streamEnded(session: 1, .failed(.notListening), now: .zero), [])
        XCTAssertEqual(machine.loggedIn(session: machine.session), [.connect(session: machine.session, fresh: false)])
    }

    func testAContextThatTheServiceFinishesEarlyClosesTheMicrophone() {
        var machine = listening()
        let actions = machine.contextFinished("c", now: .zero)
        XCTAssertEqual(Array(actions.prefix(2)), [.stopRecorder, .stopped(utterance: 1, contextId: "c", .complete)])
        XCTAssertEqual(machine.recorded(Data([1, 0]), now: .zero), [])
        XCTAssertEqual(sends(machine.recorderStopped(now: .zero)), [])
    }

    func testAMicrophoneThatFailsBeforeAnythingIsSent() {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        XCTAssertEqual(
            machine.recorderFailedToStart(utterance: 1, .notListening, now: .zero),
            [.failed(utterance: 1, .notListening)])
        XCTAssertEqual(machine.loggedIn(session: 1), [])
        XCTAssertEqual(machine.link, .down)
    }

    func testSilenceOfTheServiceEndsEverything() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        _ = machine.recorderStopped(now: .zero)
        _ = machine.sent(.stop(utterance: 1), session: 1, now: .seconds(1))
        // Whatever the service says about the context shows that it is still at it.
        machine.serviceHeard(now: .seconds(20))
        XCTAssertFalse(machine.timerFired(now: .seconds(31)).contains(.disconnect))
        // It may be gone: the context is given to a new stream, once.
        XCTAssertTrue(machine.timerFired(now: .seconds(50)).contains(.disconnect))
        XCTAssertEqual(machine.link, .waiting)
        _ = machine.timerFired(now: .seconds(51))
        _ = machine.loggedIn(session: machine.session)
        XCTAssertEqual(
            sends(machine.connected(session: machine.session, now: .seconds(51))),
            [.start(utterance: 1, appId: nil, options: options), .stop(utterance: 1)])
        _ = machine.sent(
            .start(utterance: 1, appId: nil, options: options), session: machine.session, now: .seconds(51))
        XCTAssertTrue(machine.timerFired(now: .seconds(61)).contains(.disconnect))
        XCTAssertEqual(machine.utterances, [])
        XCTAssertEqual(machine.link, .down)
    }

    func testSuspendEndsEverythingAndResumeAllowsStarts() {
        var machine = listening()
        let actions = machine.suspend(now: .zero)
        XCTAssertEqual(actions.first, .disconnect)
        XCTAssertTrue(actions.contains(.stopped(utterance: 1, contextId: "c", .ended(.clientSuspended))))
        XCTAssertTrue(actions.contains(.suspendRecorder))
        XCTAssertEqual(machine.suspend(now: .zero), [])
        XCTAssertEqual(
            machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero),
            [.failed(utterance: 2, .clientSuspended)])
        XCTAssertTrue(machine.resume())
        XCTAssertFalse(machine.resume())
        XCTAssertEqual(
            machine.start(id: 3, appId: nil, options: options, source: .microphone, now: .zero).first,
            .startRecorder(utterance: 3))
    }

    func testAnExternalSourceAsksForRoom() {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .external, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        let chunk = Data(repeating: 1, count: 70_000)
        XCTAssertTrue(machine.hasRoomForAudio)
        _ = machine.supplied(chunk, utterance: 1)
        XCTAssertFalse(machine.hasRoomForAudio)
        XCTAssertEqual(machine.sent(.audio(utterance: 1, chunk), session: 1, now: .zero), [.roomForAudio])
        XCTAssertEqual(machine.stop(now: .zero), [.stopSource(utterance: 1)])
        XCTAssertEqual(sends(machine.sourceEnded(utterance: 1, now: .zero)), [.stop(utterance: 1)])
    }

    /// The service takes one context after the other, and a source that was asked to stop may have audio left.
    func testAStartWaitsForASourceThatIsStopping() {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .external, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.contextStarted("a", now: .zero)
        _ = machine.stop(now: .zero)
        XCTAssertEqual(
            machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero),
            [.startRecorder(utterance: 2)])
        XCTAssertEqual(sends(machine.recorded(Data([2, 0]), now: .zero)), [])
        XCTAssertEqual(sends(machine.supplied(Data([1, 0]), utterance: 1)), [.audio(utterance: 1, Data([1, 0]))])
        XCTAssertEqual(
            sends(machine.sourceEnded(utterance: 1, now: .zero)),
            [
                .stop(utterance: 1), .start(utterance: 2, appId: nil, options: options),
                .audio(utterance: 2, Data([2, 0])),
            ])
        XCTAssertEqual(sends(machine.recorded(Data([3, 0]), now: .zero)), [.audio(utterance: 2, Data([3, 0]))])
    }

    func testAStartNoLongerWaitsForASourceWhoseContextIsOver() {
        var machine = machine()
        _ = machine.start(id: 1, appId: nil, options: options, source: .external, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.contextStarted("a", now: .zero)
        _ = machine.stop(now: .zero)
        XCTAssertEqual(sends(machine.start(id: 2, appId: nil, options: options, source: .external, now: .zero)), [])
        XCTAssertEqual(
            sends(machine.contextFinished("a", now: .zero)), [.start(utterance: 2, appId: nil, options: options)])
    }

    func testAudioOfAStartThatWaitsIsBounded() {
        var machine = machine { $0.maximumBufferedBytes = 100 }
        _ = machine.start(id: 1, appId: nil, options: options, source: .external, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.stop(now: .zero)
        _ = machine.start(id: 2, appId: nil, options: options, source: .microphone, now: .zero)
        XCTAssertEqual(machine.recorded(Data(count: 100), now: .zero), [])
        XCTAssertEqual(
            machine.recorded(Data(count: 2), now: .zero), [.report(.audioLost(bytes: 100, isUp: true))])
    }

    func testAContextNearItsLimitGoesOnInAnotherAtThePause() {
        var machine = machine {
            $0.contextLimit = .seconds(100)
            $0.bytesPerSecond = 1000
        }
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.contextStarted("c", now: .zero)
        let speech = Data([0x10, 0x27].repeated(100))
        let pause = Data(count: 200)
        var sent: [Machine.Command] = []
        // A pause is of no interest as long as there is much time left.
        for _ in 0..<200 { sent += sends(machine.recorded(speech, now: .zero)) }
        sent += sends(machine.recorded(pause, now: .zero))
        for _ in 0..<170 { sent += sends(machine.recorded(speech, now: .zero)) }
        XCTAssertEqual(sent.filter { $0.byteCount == 0 }, [])
        let spoken = 371 * 200
        XCTAssertEqual(
            sends(machine.recorded(pause, now: .zero)).suffix(2),
            [.stop(utterance: 1), .start(utterance: 1, appId: nil, options: options, from: spoken + 200)])
    }

    func testWhatALostStreamStillSaysIsNobodys() {
        var machine = listening()
        XCTAssertFalse(machine.isRetired("c"))
        _ = machine.streamEnded(session: machine.session, .lost(.notListening), now: .zero)
        XCTAssertTrue(machine.isRetired("c"))
    }

    func testAContextWithMoreAudioThanIsKeptIsGivenUpBeforeTheConnectionIsBack() {
        var machine = machine { $0.maximumReplayBytes = 100 }
        _ = machine.start(id: 1, appId: nil, options: options, source: .microphone, now: .zero)
        _ = machine.loggedIn(session: 1)
        _ = machine.connected(session: 1, now: .zero)
        _ = machine.contextStarted("c", now: .zero)
        _ = machine.streamEnded(session: 1, .lost(.notListening), now: .zero)
        XCTAssertEqual(machine.recorded(Data(count: 100), now: .zero), [])
        let failures = machine.recorded(Data(count: 2), now: .zero).compactMap { action -> Failure.Code? in
            guard case .stopped(1, "c", .failed(let failure)) = action else { return nil }
            return failure.code
        }
        XCTAssertEqual(failures, [.replayExhausted])
    }

    /// A host may start and stop faster than any service answers.
    func testContextsThatWaitForTheirResultsAreBounded() {
        var machine = machine { $0.maximumUtterances = 2 }
        for id in 1...2 {
            _ = machine.start(id: id, appId: nil, options: options, source: .external, now: .zero)
            _ = machine.sourceEnded(utterance: id, now: .zero)
        }
        XCTAssertEqual(
            machine.start(id: 3, appId: nil, options: options, source: .external, now: .zero),
            [.failed(utterance: 3, .tooManyContexts(2))])
    }

    func testATokenThatIsRefusedAgainAndAgainIsGivenUp() {
        var machine = listening()
        for round in 1...2 {
            let actions = machine.streamEnded(session: machine.session, .refused(.notListening), now: .zero)
            guard round == 1 else {
                return XCTAssertTrue(
                    actions.contains { if case .stopped(1, "c", .failed) = $0 { true } else { false } }, "\(actions)")
            }
            XCTAssertEqual(actions, [.login(session: machine.session, renew: true)])
            _ = machine.loggedIn(session: machine.session)
            _ = machine.connected(session: machine.session, now: .zero)
            XCTAssertEqual(machine.contextStarted("d", now: .zero), [])
        }
    }

    func testAServiceThatStartsAndDiesIsGivenUpInTheEnd() {
        var machine = listening()
        _ = machine.stop(now: .zero)
        _ = machine.recorderStopped(now: .zero)
        var now = Duration.zero
        for attempt in 1...machine.settings.maximumReconnects {
            now += .seconds(60)
            _ = machine.streamEnded(session: machine.session, .lost(.notListening), now: now)
            XCTAssertEqual(machine.link, .waiting, "attempt \(attempt)")
            now += .seconds(3)
            _ = machine.timerFired(now: now)
            _ = machine.loggedIn(session: machine.session)
            _ = machine.connected(session: machine.session, now: now)
            XCTAssertEqual(machine.contextStarted("d\(attempt)", now: now), [])
        }
        let actions = machine.streamEnded(session: machine.session, .lost(.notListening), now: now)
        XCTAssertTrue(actions.contains { if case .stopped(1, "c", .failed) = $0 { true } else { false } }, "\(actions)")
        XCTAssertEqual(machine.utterances, [])
    }

    func testTheWaitBetweenAttemptsGrowsUpToALimit() {
        var backoff = Backoff()
        let longest = (0..<10).map { _ in backoff.next(jitter: 1) }
        for (wait, expected) in zip(
            longest, [100, 150, 225, 337.5, 506.25, 759.375, 1139.0625, 1708.59375, 2000, 2000])
        {
            XCTAssertEqual(wait / .milliseconds(1), expected, accuracy: 0.001)
        }
        backoff.reset()
        for expected in [50.0, 75, 112.5] {
            XCTAssertEqual(backoff.next(jitter: 0) / .milliseconds(1), expected, accuracy: 0.001)
        }
    }

    func testTheRingKeepsWhatNothingCovers() {
        var ring = ReplayRing()
        for byte in 0..<200 as Range<UInt8> { ring.append(Data(repeating: byte, count: 10)) }
        ring.release(upTo: 1005)
        XCTAssertEqual(ring.start, 1000)
        XCTAssertEqual(ring.count, 1000)
        XCTAssertEqual(ring.audio(from: 1985), [Data(repeating: 198, count: 5), Data(repeating: 199, count: 10)])
        XCTAssertEqual(ring.audio(from: 2000), [])
        ring.trim(to: 25)
        XCTAssertEqual(ring.audio(from: 0), [198, 199].map { Data(repeating: $0, count: 10) })
        XCTAssertEqual(ring.end, 2000)
    }
}

extension Array {
    fileprivate func repeated(_ count: Int) -> [Element] { Array([Array](repeating: self, count: count).joined()) }
}
