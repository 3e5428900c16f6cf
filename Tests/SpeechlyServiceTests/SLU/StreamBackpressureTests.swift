import Speechly
import SpeechlySync
import XCTest

@testable import SpeechlyService

/// A stream over a transport whose peer reads only when the test says so.
final class StreamBackpressureTests: XCTestCase {
    private final class Transport: StreamTransport {
        struct State {
            var room = 0
            var isFull = false
            var isPaused = false
            var sent: [SLUResponse] = []
            var status: GRPCStatus?
            var waiters: [(condition: @Sendable (State) -> Bool, done: XCTestExpectation)] = []
        }

        let state = Locked(State())

        private func change<Result>(_ body: (inout State) -> Result) -> Result {
            state.withLock { state in
                let result = body(&state)
                let snapshot = state
                state.waiters.removeAll { waiter in
                    guard waiter.condition(snapshot) else { return false }
                    waiter.done.fulfill()
                    return true
                }
                return result
            }
        }

        func send(_ message: [UInt8]) -> SendResult {
            change { state in
                guard state.room > 0 else {
                    state.isFull = true
                    return .full
                }
                state.room -= 1
                if let response = try? SLUResponse(serializedBytes: message) { state.sent.append(response) }
                return .sent
            }
        }

        func finish(_ status: GRPCStatus) { change { if $0.status == nil { $0.status = status } } }
        func pauseReading() { change { $0.isPaused = true } }
        func resumeReading() { change { $0.isPaused = false } }

        func until(_ name: String, _ condition: @escaping @Sendable (State) -> Bool) -> XCTestExpectation {
            let expectation = XCTestExpectation(description: name)
            state.withLock { $0.waiters.append((condition, expectation)) }
            change { _ in }
            return expectation
        }
    }

    private func stream(
        _ transport: Transport, script: Int = 10_000
    ) throws -> SLUStream<Transport> {
        let words = (0..<script).map { "word\($0)" }
        let application = Application(
            languageCode: "en-US", interpreter: Interpreter(configuration: nil),
            recognizers: RecognizerKind { ScriptedRecognizer(script: words) })
        let environment = SLUEnvironment(
            catalog: ApplicationCatalog(ApplicationDirectory(other: application)), pool: RecognizerPool(limit: 1),
            workers: WorkerThreads(count: 2))
        let holder = TokenClaims(
            scope: .application(ServiceHarness.appId), deviceId: ServiceHarness.deviceId, issuedAt: 0, expiresAt: 1)
        return SLUStream(transport: transport, holder: holder, environment: environment)
    }

    private func give(_ stream: SLUStream<Transport>, _ request: SLURequest.StreamingRequest) {
        SLURequest(streamingRequest: request).serializedBytes().withUnsafeBytes { stream.handle(.message($0)) }
    }

    private func read(_ stream: SLUStream<Transport>, _ transport: Transport, room: Int) {
        transport.state.withLock {
            $0.room = room
            $0.isFull = false
        }
        stream.handle(.writable)
    }

    func testAPeerThatDoesNotReadStopsDecodingAndReading() async throws {
        let transport = Transport()
        let stream = try stream(transport)
        give(stream, .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
        give(stream, .start(SLUStart()))
        XCTAssertTrue(transport.state.withLock { $0.isFull })
        // Not even `started` is read: nothing is decoded, and the peer is stopped within the limit.
        let second = [UInt8](repeating: 0, count: 32_000)
        var given = 0
        while !transport.state.withLock({ $0.isPaused }) {
            give(stream, .audio(second))
            given += second.count
            XCTAssertLessThan(given, 1_000_000)
        }
        XCTAssertLessThanOrEqual(given, StreamInbox.upperLimit + second.count)
        XCTAssertEqual(transport.state.withLock { $0.sent.count }, 0)
        // It reads one message and then another, and is let go again.
        let resumed = transport.until("reading is resumed") { !$0.isPaused }
        read(stream, transport, room: 1_000_000)
        await fulfillment(of: [resumed], timeout: 60)
        give(stream, .stop(SLUStop()))
        stream.handle(.halfClosed)
        let ended = transport.until("the stream ends") { $0.status != nil }
        await fulfillment(of: [ended], timeout: 60)
        let (sent, status) = transport.state.withLock { ($0.sent, $0.status) }
        XCTAssertEqual(status, .ok)
        let context = try XCTUnwrap(ContextTranscript.read(sent).first)
        XCTAssertTrue(context.isFinished)
        XCTAssertEqual(context.segments[0]?.words.count, given / 3_200)
    }

    func testAPeerThatReadsOneMessageAtATimeGetsThemAllInOrder() async throws {
        let transport = Transport()
        let stream = try stream(transport, script: 20)
        give(stream, .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
        for _ in 0..<3 {
            give(stream, .start(SLUStart()))
            give(stream, .audio([UInt8](repeating: 0, count: 64_000)))
            give(stream, .stop(SLUStop()))
        }
        stream.handle(.halfClosed)
        while transport.state.withLock({ $0.status == nil }) {
            let moved = transport.until("full or over") { $0.isFull || $0.status != nil }
            await fulfillment(of: [moved], timeout: 60)
            if transport.state.withLock({ $0.status == nil }) { read(stream, transport, room: 1) }
        }
        let (sent, status) = transport.state.withLock { ($0.sent, $0.status) }
        XCTAssertEqual(status, .ok)
        let contexts = ContextTranscript.read(sent)
        XCTAssertEqual(contexts.map { $0.segments[0]?.words.count }, [20, 20, 20])
        XCTAssertEqual(contexts.map(\.isFinished), [true, true, true])
    }

    func testNothingFollowsTheEndOfTheCall() async throws {
        let transport = Transport()
        let stream = try stream(transport)
        transport.state.withLock { $0.room = 1 }
        give(stream, .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)))
        give(stream, .start(SLUStart()))
        give(stream, .audio([UInt8](repeating: 0, count: 64_000)))
        stream.handle(.ended)
        let sent = transport.state.withLock { $0.sent.count }
        give(stream, .stop(SLUStop()))
        stream.handle(.halfClosed)
        stream.handle(.writable)
        XCTAssertLessThanOrEqual(sent, 1)
        XCTAssertNil(transport.state.withLock { $0.status })
    }
}
