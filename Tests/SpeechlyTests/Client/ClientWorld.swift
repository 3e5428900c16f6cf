import Foundation
import XCTest

@testable import Speechly

/// A world around a client's state machine: a recorder, a login, a service, a sender and a clock, which do at
/// random moments what the machine asks of them, and check that it asks for what makes sense.
struct ClientWorld {
    typealias Machine = ClientStateMachine

    enum RecorderState {
        case off, recording, tail
    }

    struct Sent: Equatable {
        var utterance: Int
        var audio: [UInt8] = []
        var isStopped = false
        var contextId: String?
        var isFinished = false
    }

    var machine: Machine
    var now = Duration.zero
    var random: SplitMix
    let place: String
    /// Whether the recorder reports the end of a recording as it should.
    let recorderReports: Bool

    var recorder = RecorderState.off
    /// The ends of recordings that the recorder has still to report.
    var recorderStops = 0
    var startsToDo: [Int] = []
    var logins: [Int] = []
    var connects: [Int] = []
    var queue: [(command: Machine.Command, session: Int)] = []
    var streamSession: Int?
    var contexts: [Sent] = []
    var nextContext = 0
    var timers: [Duration] = []
    var nextByte: UInt8 = 0

    var requests: Set<Int> = []
    var started: [Int: String] = [:]
    var ended: Set<Int> = []
    var reports: [Failure] = []
    var failures: [Int: Failure] = [:]

    init(seed: UInt64, recorderReports: Bool, settings: Machine.Settings) {
        machine = Machine(settings: settings)
        random = SplitMix(seed: seed)
        place = "seed \(seed)"
        self.recorderReports = recorderReports
    }

    mutating func perform(_ actions: [Machine.Action]) {
        for action in actions { perform(action) }
        check()
    }

    private mutating func perform(_ action: Machine.Action) {
        switch action {
        case .startRecorder(let utterance): startsToDo.append(utterance)
        case .stopRecorder: startsToDo.append(-1)
        case .suspendRecorder: startsToDo.append(-2)
        case .stopSource, .roomForAudio: break
        case .login(let session, _): logins.append(session)
        case .connect(let session): connects.append(session)
        case .disconnect:
            streamSession = nil
            contexts = []
        case .send(let command, let session): queue.append((command, session))
        case .join(let utterance, let request):
            XCTAssertTrue(requests.contains(utterance) && !ended.contains(utterance), place)
            end(request)
        case .started(let utterance, let contextId):
            XCTAssertNil(started.updateValue(contextId, forKey: utterance), place)
            XCTAssertFalse(ended.contains(utterance), place)
        case .stopped(let utterance, let contextId, _):
            XCTAssertEqual(started[utterance], contextId, place)
            end(utterance)
        case .failed(let utterance, let failure):
            XCTAssertNil(started[utterance], place)
            failures[utterance] = failure
            end(utterance)
        case .report(let failure): reports.append(failure)
        case .schedule(let deadline): timers.append(deadline)
        }
    }

    private mutating func end(_ utterance: Int) {
        XCTAssertTrue(requests.contains(utterance), place)
        XCTAssertTrue(ended.insert(utterance).inserted, "\(place): \(utterance) ended twice")
    }

    private func check() {
        XCTAssertGreaterThanOrEqual(machine.bytesInFlight, 0, place)
        XCTAssertGreaterThanOrEqual(machine.outboxBytes, 0, place)
        XCTAssertLessThanOrEqual(machine.utterances.filter { $0.capture == .active }.count, 1, place)
        let ids = machine.utterances.map(\.id)
        XCTAssertEqual(ids, ids.sorted(), place)
        XCTAssertTrue(Set(ids).isDisjoint(with: ended), place)
        XCTAssertTrue(Set(ids).isSubset(of: requests), place)
    }

    // MARK: What the owner does

    mutating func start(_ id: Int, appId: String?, source: Machine.Source = .microphone) {
        requests.insert(id)
        perform(machine.start(id: id, appId: appId, options: ContextOptions(), source: source, now: now))
    }

    // MARK: What the surroundings do

    /// The recorder does the next thing it was told.
    mutating func stepRecorder() {
        guard !startsToDo.isEmpty else { return }
        let call = startsToDo.removeFirst()
        switch call {
        case -1: if recorder == .recording { recorder = .tail }
        case -2:
            if recorder != .off { recorderStops += 1 }
            recorder = .off
        default:
            if recorder == .tail { recorderStops += 1 }
            recorder = .recording
        }
        if recorderReports { reportStops() }
    }

    private mutating func reportStops() {
        while recorderStops > 0 {
            recorderStops -= 1
            perform(machine.recorderStopped(now: now))
        }
    }

    mutating func capture() {
        guard recorder != .off else { return }
        nextByte &+= 1
        perform(machine.recorded(Data([nextByte]), now: now))
    }

    mutating func endTail() {
        guard recorder == .tail else { return }
        recorder = .off
        if recorderReports { perform(machine.recorderStopped(now: now)) }
    }

    mutating func stepLogin(succeeds: Bool) {
        guard !logins.isEmpty else { return }
        let session = logins.removeFirst()
        perform(
            succeeds
                ? machine.loggedIn(session: session) : machine.linkFailed(session: session, .notListening, now: now))
    }

    mutating func stepConnect(succeeds: Bool) {
        guard !connects.isEmpty else { return }
        let session = connects.removeFirst()
        guard succeeds else {
            return perform(machine.connectFailed(session: session, .failed(.notListening), now: now))
        }
        if session == machine.session {
            streamSession = session
            contexts = []
        }
        perform(machine.connected(session: session, now: now))
    }

    /// The sender sends the next command, which the service checks.
    mutating func stepSender() {
        guard !queue.isEmpty else { return }
        let (command, session) = queue.removeFirst()
        guard session == machine.session else { return }
        guard session == streamSession else {
            return perform(machine.sendFailed(session: session, .lost(.notListening), now: now))
        }
        switch command {
        case .start(let utterance, _, _):
            XCTAssertTrue(contexts.last?.isStopped ?? true, "\(place): start within a context")
            contexts.append(Sent(utterance: utterance))
        case .audio(let utterance, let data):
            XCTAssertEqual(contexts.last?.utterance, utterance, "\(place): audio of another utterance")
            XCTAssertEqual(contexts.last?.isStopped, false, "\(place): audio outside a context")
            if !contexts.isEmpty { contexts[contexts.count - 1].audio += [UInt8](data) }
        case .stop(let utterance):
            XCTAssertEqual(contexts.last?.utterance, utterance, "\(place): stop of another utterance")
            XCTAssertEqual(contexts.last?.isStopped, false, "\(place): stop outside a context")
            if !contexts.isEmpty { contexts[contexts.count - 1].isStopped = true }
        }
        perform(machine.sent(command, session: session, now: now))
    }

    /// The service starts the next context, or finishes one.
    mutating func stepService() {
        guard streamSession == machine.session, machine.link == .up else { return }
        if let index = contexts.firstIndex(where: { $0.contextId == nil }) {
            nextContext += 1
            contexts[index].contextId = "c\(nextContext)"
            let actions = machine.contextStarted("c\(nextContext)", now: now)
            XCTAssertNotNil(actions, place)
            return perform(actions ?? [])
        }
        if let index = contexts.firstIndex(where: { $0.isStopped && !$0.isFinished }),
            let id = contexts[index].contextId
        {
            contexts[index].isFinished = true
            perform(machine.contextFinished(id, now: now))
        }
    }

    mutating func breakStream(_ end: Machine.StreamEnd) {
        guard let session = streamSession else { return }
        streamSession = nil
        contexts = []
        perform(machine.streamEnded(session: session, end, now: now))
    }

    mutating func advance(by duration: Duration) {
        now += duration
        while let index = timers.firstIndex(where: { $0 <= now }) {
            timers.remove(at: index)
            perform(machine.timerFired(now: now))
        }
    }

    /// Lets everything come to its end.
    mutating func settle() {
        for _ in 0..<400 {
            perform(machine.stop(now: now))
            stepRecorder()
            endTail()
            stepLogin(succeeds: true)
            stepConnect(succeeds: true)
            for _ in 0..<20 { stepSender() }
            stepService()
            advance(by: .milliseconds(100))
        }
    }
}
