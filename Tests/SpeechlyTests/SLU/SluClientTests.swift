import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

final class SluClientTests: XCTestCase {
    private let config = SluConfig(sampleRate: 16000, channels: 1)

    /// A client of a server with its log, and a token.
    private func make(
        _ server: MockSpeechlyServer, clock: any ClientClock = SystemClock(), maximumBytesInFlight: Int = 1 << 20
    ) throws -> (SluClient, SluLog) {
        let channel = try Channel(
            address: server.address,
            configuration: .init(maximumBytesInFlight: maximumBytesInFlight, ownConnection: true))
        let client = SluClient(
            channel: channel, delegateQueue: DispatchQueue(label: "test.slu"), settings: SluClient.Settings(),
            clock: clock)
        let log = SluLog()
        client.delegate = log
        return (client, log)
    }

    private func assertThrows<ErrorType: Error & Equatable>(
        _ expected: ErrorType, line: UInt = #line, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("no error", line: line)
        } catch { XCTAssertEqual(error as? ErrorType, expected, "\(error)", line: line) }
    }

    func testAConnectionThatFailedIsNotTriedAgainBehindTheOwnersBack() async throws {
        let server = try MockSpeechlyServer()
        server.setAcceptsConnections(false)
        let address = server.address
        let makeChannel = { @Sendable in try Channel(address: address, configuration: .init(ownConnection: true)) }
        let client = SluClient(
            channel: try makeChannel(), delegateQueue: nil, settings: SluClient.Settings(), clock: SystemClock(),
            makeChannel: makeChannel)
        do {
            try await client.connect(token: .made(), config: config)
            XCTFail("connected to nobody")
        } catch { XCTAssertEqual((error as? GRPCStatus)?.code, .unavailable, "\(error)") }
        // One that has failed would be on its way to the next attempt.
        XCTAssertEqual(client.state.withLock { $0.channel.connectivityState() }, .idle)
        server.setAcceptsConnections(true)
        try await client.connect(token: .made(), config: config)
        try await server.received("the stream") { $0.streams.count == 1 }
    }

    func testEveryKindOfAnswerReachesTheDelegate() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(
                .audio(4), .send(.tentativeTranscript("a b")), .send(.tentativeEntities([SLUEntity(entity: "t")])),
                .send(.tentativeIntent("i")), .send(MockMessage.transcript("a", index: 0).segment(3)),
                .send(.entity("t", value: "v", start: 0, end: 1)), .send(.intent("j")), .send(.segmentEnd),
                .send(MockMessage(nil)), .sendBytes([0xFF]))
        ])
        let (client, log) = try make(server)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await client.write(data: Data([1, 2, 3, 4]))
        try await client.stopContext()
        try await client.disconnect()
        try await log.wait { $0.last == "stopStream OK" }
        let id = "00000000-0000-4000-8000-000000000001"
        XCTAssertEqual(
            log.entries,
            [
                "started \(id)", "tentativeTranscript \(id) 0 a b", "tentativeEntities \(id) 0 1",
                "tentativeIntent \(id) 0 i", "transcript \(id) 3 a", "entity \(id) 0 v", "intent \(id) 0 j",
                "segmentEnd \(id) 0",
                "error cannot decode speechly.slu.v1.SLUResponse: byte 1: the data ends inside a value",
                "finished \(id)", "stopStream OK",
            ])
        let stream = try XCTUnwrap(server.received.streams.first)
        XCTAssertEqual(stream.messages.first, .config)
        XCTAssertEqual(stream.messages.last, .halfClose)
        XCTAssertEqual(stream.violations, [])
        XCTAssertNotNil(stream.token)
    }

    func testRequestsThatDoNotFitTheState() async throws {
        let server = try MockSpeechlyServer()
        let (client, _) = try make(server)
        await assertThrows(InvalidSLUState.notConnected) { try await client.startContext() }
        await assertThrows(InvalidSLUState.notConnected) { try await client.write(data: Data([0, 0])) }
        await assertThrows(InvalidSLUState.notConnected) { _ = try client.send(audio: Data([0, 0])) }
        try await client.connect(token: .made(), config: config)
        await assertThrows(InvalidSLUState.contextNotStarted) { try await client.stopContext() }
        await assertThrows(InvalidSLUState.contextNotStarted) { try await client.write(data: Data([0, 0])) }
        await assertThrows(InvalidSLUState.contextNotStarted) { _ = try client.send(audio: Data([0, 0])) }
        try await client.startContext(appId: "x")
        await assertThrows(InvalidSLUState.contextAlreadyStarted) { try await client.startContext() }
        try await client.suspend()
        await assertThrows(InvalidSLUState.notConnected) { try await client.write(data: Data([0, 0])) }
    }

    func testConnectIsIdempotentAndReportsWhatIsWrong() async throws {
        let server = try MockSpeechlyServer()
        let (client, _) = try make(server)
        try await client.connect(token: .made(), config: config)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await server.received("the start") { $0.contexts.count == 1 }
        XCTAssertEqual(server.received.streams.count, 1)

        let closed = try SluClient(addr: "grpc://127.0.0.1:1")
        do {
            try await closed.connect(token: .made(), config: config)
            XCTFail("no error")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .unavailable)
            XCTAssertTrue(status.message?.contains("grpc://127.0.0.1:1") == true, "\(status)")
        }
        XCTAssertThrowsError(try SluClient(addr: "nonsense"))
    }

    func testAfterAFailureSendsThrowItsStatus() async throws {
        let status = GRPCStatus(code: .resourceExhausted, message: "too many")
        let server = try MockSpeechlyServer(streams: [StreamScript().on(.start(), .end(status))])
        let (client, log) = try make(server)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await log.wait { $0.last == "stopStream RESOURCE_EXHAUSTED: too many" }
        do {
            try await client.write(data: Data([0, 0]))
            XCTFail("no error")
        } catch let error as GRPCStatus { XCTAssertEqual(error.code, .resourceExhausted) }
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
    }

    func testRoundTripsAreMeasuredAheadOfQueuedAudio() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(.config, .send(.roundTripRequest(id: 7)), .send(.roundTripRequest(id: 8)))
        ])
        let (client, _) = try make(server)
        try await client.connect(token: .made(), config: config)
        try await server.received("the answers") { $0.streams.first?.roundTripAnswers == [7, 8] }
    }

    func testAFullStreamIsReportedAndWriteWaits() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(.start(), .stopReading, .send(.tentativeIntent("paused")))
                .on(.demand("read"), .resumeReading)
        ])
        let (client, log) = try make(server, maximumBytesInFlight: 100_000)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await log.wait { $0.last?.hasSuffix("paused") == true }
        let chunk = Data(repeating: 1, count: 32_000)
        var sent = 0
        while try client.send(audio: chunk) == .sent {
            sent += 1
            XCTAssertLessThan(sent, 10_000)
            if sent >= 10_000 { return }
        }
        let write = Task { try await client.write(data: chunk) }
        server.trigger("read")
        try await write.value
        try await client.stopContext()
        let total = (sent + 1) * chunk.count
        try await server.received("everything") { $0.contexts.first?.isStopped == true }
        XCTAssertEqual(server.received.contexts.first?.audio.count, total)
    }

    func testAWaitingWriteCanBeCancelled() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript().on(.start(), .stopReading)])
        let (client, _) = try make(server, maximumBytesInFlight: 100_000)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        let write = Task { while true { try await client.write(data: Data(repeating: 1, count: 32_000)) } }
        try await eventually("the stall") { (try? client.send(audio: Data(repeating: 1, count: 90_000))) == .full }
        write.cancel()
        do {
            try await write.value
            XCTFail("no error")
        } catch is CancellationError {}
    }

    func testAnIdleStreamIsClosedAndReopenedOnDemand() async throws {
        let server = try MockSpeechlyServer()
        let time = ManualTime()
        let (client, log) = try make(server, clock: time)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        time.advance(by: .seconds(100))
        try await client.stopContext()
        try await log.wait { $0.last?.hasPrefix("finished") == true }
        time.advance(by: .seconds(29))
        XCTAssertEqual(server.received.streams.first?.isHalfClosed, false)
        time.advance(by: .seconds(2))
        try await log.wait { $0.last == "stopStream OK" }
        XCTAssertEqual(server.received.streams.first?.messages.last, .halfClose)
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await server.received("the second stream") { $0.streams.count == 2 && $0.contexts.count == 2 }
    }

    func testDisconnectLeavesAServiceThatDoesNotClose() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript(automatic: false)])
        let time = ManualTime()
        let (client, log) = try make(server, clock: time)
        try await client.connect(token: .made(), config: config)
        let task = Task { try await client.disconnect() }
        try await server.received("the half-close") { $0.streams.first?.isHalfClosed == true }
        try await eventually("the end") {
            time.advance(by: .seconds(5))
            return !log.entries.isEmpty
        }
        try await task.value
        XCTAssertTrue(log.entries.last?.hasPrefix("stopStream CANCELLED") == true, "\(log.entries)")
    }

    func testTheDelegateSendsFromItsCallbacks() async throws {
        let server = try MockSpeechlyServer(streams: [
            StreamScript().on(.start(), .send(.tentativeTranscript("0")))
                .on(.audio(2), .send(.tentativeTranscript("1"))).on(.audio(4), .send(.tentativeTranscript("2")))
        ])
        let (client, log) = try make(server)
        log.onEntry { [weak client] entry in
            if entry.hasPrefix("tentativeTranscript"), !entry.hasSuffix("2") {
                XCTAssertEqual(try? client?.send(audio: Data([0, 0])), .sent)
            }
        }
        try await client.connect(token: .made(), config: config)
        try await client.startContext()
        try await log.wait { $0.last?.hasSuffix(" 2") == true }
    }

    func testReleasingTheClientEndsItsStream() async throws {
        let server = try MockSpeechlyServer()
        do {
            let (client, _) = try make(server)
            try await client.connect(token: .made(), config: config)
            try await client.startContext()
            try await server.received("the start") { !$0.contexts.isEmpty }
        }
        try await server.received("the end") { $0.streams.first?.isEnded == true }
    }
}

/// Writes down what an SLU delegate is told.
final class SluLog: SluClientDelegate, Sendable {
    private struct State {
        var entries: [String] = []
        var waiters: [(condition: ([String]) -> Bool, promise: Promise<Void>)] = []
        var onEntry: (@Sendable (String) -> Void)?
    }

    private let state = Locked(State())

    var entries: [String] { state.withLock { $0.entries } }

    func onEntry(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.onEntry = body } }

    func wait(timeout: Duration = .seconds(20), _ condition: @escaping @Sendable ([String]) -> Bool) async throws {
        let promise = Promise<Void>()
        let isMet = state.withLock { state in
            if condition(state.entries) { return true }
            state.waiters.append((condition, promise))
            return false
        }
        if isMet { return }
        let timer = Task {
            try await Task.sleep(for: timeout)
            promise.resolve(.failure(CallbackLog.TimedOut(description: "there was \(entries)")))
        }
        defer { timer.cancel() }
        try await promise.value()
    }

    private func log(_ entry: String) {
        let (met, hook) = state.withLock { state in
            state.entries.append(entry)
            let entries = state.entries
            let met = state.waiters.filter { $0.condition(entries) }
            state.waiters.removeAll { $0.condition(entries) }
            return (met, state.onEntry)
        }
        hook?(entry)
        for waiter in met { waiter.promise.resolve(.success(())) }
    }

    func sluClientDidCatchError(_ client: SluClientProtocol, error: Error) { log("error \(error)") }
    func sluClientDidStopStream(_ client: SluClientProtocol, status: GRPCStatus) { log("stopStream \(status)") }
    func sluClientDidReceiveContextStart(_ client: SluClientProtocol, contextId: String) { log("started \(contextId)") }
    func sluClientDidReceiveContextStop(_ client: SluClientProtocol, contextId: String) { log("finished \(contextId)") }
    func sluClientDidReceiveSegmentEnd(_ client: SluClientProtocol, contextId: String, segmentId: Int) {
        log("segmentEnd \(contextId) \(segmentId)")
    }
    func sluClientDidReceiveTentativeTranscript(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, transcript: SLUTentativeTranscript
    ) { log("tentativeTranscript \(contextId) \(segmentId) \(transcript.tentativeTranscript)") }
    func sluClientDidReceiveTentativeEntities(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, entities: SLUTentativeEntities
    ) { log("tentativeEntities \(contextId) \(segmentId) \(entities.tentativeEntities.count)") }
    func sluClientDidReceiveTentativeIntent(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, intent: SLUIntent
    ) { log("tentativeIntent \(contextId) \(segmentId) \(intent.intent)") }
    func sluClientDidReceiveTranscript(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, transcript: SLUTranscript
    ) { log("transcript \(contextId) \(segmentId) \(transcript.word)") }
    func sluClientDidReceiveEntity(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, entity: SLUEntity
    ) { log("entity \(contextId) \(segmentId) \(entity.value)") }
    func sluClientDidReceiveIntent(
        _ client: SluClientProtocol, contextId: String, segmentId: Int, intent: SLUIntent
    ) { log("intent \(contextId) \(segmentId) \(intent.intent)") }
}
