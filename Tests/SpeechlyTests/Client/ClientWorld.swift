import Foundation
import SpeechlyCore
import SpeechlySync
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
        /// How many words of the audio are final, and how many of them are in segments that have ended.
        var finalWords = 0
        var endedWords = 0
        var segment = 0
    }

    /// A final word as the host gets it.
    struct Word: Equatable {
        let segment: Int
        let index: Int
        let value: String
        let start: Double
    }

    /// The bytes of one word.
    static let wordLength = 10

    var machine: Machine
    var now = Duration.zero
    var random: SplitMix
    let place: String
    /// Whether the recorder reports the end of a recording as it should.
    let recorderReports: Bool
    /// Whether the service starts a context only once it has finished the one before.
    let worksInOrder: Bool

    var recorder = RecorderState.off
    /// The ends of recordings that the recorder has still to report.
    var recorderStops = 0
    var startsToDo: [Int] = []
    /// Utterances whose sources have not ended.
    var sources: Set<Int> = []
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
    var words: [Int: [Word]] = [:]
    var captured: [Int: [String]] = [:]
    var completed: Set<Int> = []
    var failures: [Int: Failure] = [:]

    init(seed: UInt64, recorderReports: Bool, settings: Machine.Settings) {
        var settings = settings
        settings.bytesPerSecond = 1000
        let chance = Locked(SplitMix(seed: seed &+ 1))
        machine = Machine(settings: settings) { chance.withLock { Double.random(in: 0...1, using: &$0) } }
        random = SplitMix(seed: seed)
        place = "seed \(seed)"
        self.recorderReports = recorderReports
        worksInOrder = seed % 2 == 0
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
        case .connect(let session, _): connects.append(session)
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
        case .stopped(let utterance, let contextId, let outcome):
            if outcome == .complete { completed.insert(utterance) }
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
        XCTAssertLessThanOrEqual(machine.utterances.filter { $0.capture == .active }.count, 1, place)
        let ids = machine.utterances.map(\.id)
        XCTAssertEqual(ids, ids.sorted(), place)
        XCTAssertTrue(Set(ids).isDisjoint(with: ended), place)
        XCTAssertTrue(Set(ids).isSubset(of: requests), place)
    }

    // MARK: What the owner does

    mutating func start(_ id: Int, appId: String?, source: Machine.Source = .microphone) {
        requests.insert(id)
        if source == .external { sources.insert(id) }
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
        let owner = machine.handover == nil ? machine.utterances.last { $0.capture != .ended }?.id : nil
        perform(machine.recorded(Data(repeating: nextByte, count: Self.wordLength), now: now))
        if let owner { captured[owner, default: []].append("\(nextByte)") }
    }

    /// An external source has a word, if there is room for it.
    mutating func supply(to id: Int) {
        guard machine.hasRoomForAudio, started[id] != nil, !ended.contains(id) else { return }
        nextByte &+= 1
        captured[id, default: []].append("\(nextByte)")
        perform(machine.supplied(Data(repeating: nextByte, count: Self.wordLength), utterance: id))
    }

    /// A source comes to its end, whether or not it was asked to stop.
    mutating func endSource() {
        guard let id = sources.sorted().randomElement(using: &random) else { return }
        sources.remove(id)
        perform(machine.sourceEnded(utterance: id, now: now))
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
        case .start(let utterance, _, _, _):
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
        let isBusy = worksInOrder && contexts.contains { $0.contextId != nil && !$0.isFinished }
        if let index = contexts.firstIndex(where: { $0.contextId == nil }), !isBusy {
            nextContext += 1
            contexts[index].contextId = "c\(nextContext)"
            let actions = machine.contextStarted("c\(nextContext)", now: now)
            XCTAssertNotNil(actions, place)
            return perform(actions ?? [])
        }
        guard let index = contexts.firstIndex(where: { !$0.isFinished }), let id = contexts[index].contextId else {
            return
        }
        let available = contexts[index].audio.count / Self.wordLength
        if contexts[index].finalWords < available {
            let context = contexts[index]
            let position = context.finalWords * Self.wordLength
            let word = Transcript(
                index: context.finalWords - context.endedWords, value: "\(context.audio[position])",
                startOffset: Double(position) / 1000, endOffset: Double(position + Self.wordLength) / 1000,
                isFinal: true)
            contexts[index].finalWords += 1
            say(.transcript(word), index, id)
        } else if contexts[index].isStopped {
            if contexts[index].endedWords < available { endSegment(index, id) }
            contexts[index].isFinished = true
            say(.finished, index, id)
        }
        guard index < contexts.count, contexts[index].contextId == id, !contexts[index].isFinished else { return }
        if contexts[index].endedWords < contexts[index].finalWords, Int.random(in: 0..<3, using: &random) == 0 {
            endSegment(index, id)
        }
    }

    private mutating func endSegment(_ index: Int, _ id: String) {
        contexts[index].endedWords = contexts[index].finalWords
        contexts[index].segment += 1
        say(.segmentEnd, index, id, segment: contexts[index].segment - 1)
    }

    /// The service says something, and the host gets what the machine makes of it.
    private mutating func say(
        _ content: RecognitionMessage.Content, _ index: Int, _ id: String, segment: Int? = nil
    ) {
        let utterance = contexts[index].utterance
        var actions: [Machine.Action] = []
        let message = RecognitionMessage(
            contextId: id, segmentId: segment ?? contexts[index].segment, content: content)
        for result in machine.results(of: message, now: now, &actions) {
            XCTAssertEqual(result.contextId, started[utterance], place)
            switch result.content {
            case .transcript(let word):
                words[utterance, default: []].append(
                    Word(segment: result.segmentId, index: word.index, value: word.value, start: word.startOffset))
            case .finished: actions += machine.contextFinished(result.contextId, now: now)
            default: break
            }
        }
        perform(actions)
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
            endSource()
            stepLogin(succeeds: true)
            stepConnect(succeeds: true)
            for _ in 0..<20 { stepSender() }
            stepService()
            advance(by: .milliseconds(100))
        }
    }
}
