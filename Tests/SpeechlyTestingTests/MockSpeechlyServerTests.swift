import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlyTesting
import XCTest

final class MockSpeechlyServerTests: XCTestCase {
    // MARK: Login and text

    func testIssuesTokensForWhoeverAsks() async throws {
        let server = try MockSpeechlyServer()
        let client = try RawClient(server.address)
        let response = try await client.logIn(
            LoginRequest(deviceId: "d", scope: .application(ApplicationScope(appId: "a"))))
        XCTAssertEqual(response.token.split(separator: ".").count, 3)
        XCTAssertEqual(response.validForS, 24 * 3600)
        XCTAssertTrue(response.expiresAt.hasSuffix("+00:00"), response.expiresAt)
        XCTAssertEqual(server.received.logins.map(\.request.deviceId), ["d"])
    }

    func testAnswersLoginsAsScriptedThenWell() async throws {
        let server = try MockSpeechlyServer(logins: [.status(GRPCStatus(code: .notFound, message: "no such app"))])
        server.scriptLogin(.response(LoginResponse(token: "garbage")))
        let client = try RawClient(server.address)
        do {
            _ = try await client.logIn()
            XCTFail("the first login is refused")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .notFound)
            XCTAssertEqual(status.message, "no such app")
        }
        let second = try await client.logIn()
        XCTAssertEqual(second.token, "garbage")
        let third = try await client.logIn()
        XCTAssertNotEqual(third.token, "garbage")
    }

    func testDelaysByTheClockItIsGiven() async throws {
        let clock = ManualClock()
        let server = try MockSpeechlyServer(logins: [.token().delayed(.seconds(3600))], clock: clock)
        let client = try RawClient(server.address)
        async let response = client.logIn()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3600))
        let token = try await response.token
        XCTAssertFalse(token.isEmpty)
    }

    func testUnderstandsTextsAsScripted() async throws {
        let segment = WLUSegment(text: "go", intent: WLUIntent(intent: "start"))
        let server = try MockSpeechlyServer(texts: [.segments([segment])])
        let client = try RawClient(server.address)
        let first = try await client.understand("go")
        XCTAssertEqual(first.segments, [segment])
        let second = try await client.understand(" turn  on ")
        XCTAssertEqual(second.segments.map(\.text), ["turn on"])
        XCTAssertEqual(second.segments.first?.tokens.map(\.word), ["turn", "on"])
        XCTAssertEqual(server.received.texts.map(\.request.text), ["go", " turn  on "])
    }

    // MARK: Streams

    func testBehavesWellWithoutAScript() async throws {
        let server = try MockSpeechlyServer()
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin, .silence(3200), .end, .begin, .end)
        stream.closeSend()
        let responses = await stream.responses(4)
        XCTAssertEqual(
            responses.map(\.streamingResponse),
            [.started(SLUStarted()), .finished(SLUFinished()), .started(SLUStarted()), .finished(SLUFinished())])
        XCTAssertEqual(responses[0].audioContext, responses[1].audioContext)
        XCTAssertNotEqual(responses[1].audioContext, responses[2].audioContext)
        XCTAssertNotNil(UUID(uuidString: responses[0].audioContext))
        let end = await stream.end()
        XCTAssertEqual(end, .ok)
        let record = server.received.streams[0]
        XCTAssertEqual(record.contexts.map(\.audio.count), [3200, 0])
        XCTAssertEqual(record.token, "token")
        XCTAssertEqual(record.config?.sampleRateHertz, 16_000)
        XCTAssertFalse(record.isCancelled)
    }

    func testHearsWhatItIsTold() async throws {
        let light = SLUEntity(entity: "device", value: "light", startPosition: 2, endPosition: 3)
        let server = try MockSpeechlyServer(streams: [.hears("turn on light", intent: "on", entities: [light])])
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin, .silence(2))
        let early = await stream.responses(2)
        guard case .tentativeTranscript(let words)? = early.last?.streamingResponse else {
            return XCTFail("\(early)")
        }
        XCTAssertEqual(words.tentativeWords.map(\.word), ["turn", "on", "light"])
        stream.send(.end)
        let late = await stream.responses(7).map(\.streamingResponse)
        XCTAssertEqual(
            late.suffix(4),
            [
                .entity(light), .intent(SLUIntent(intent: "on")), .segmentEnd(SLUSegmentEnd()),
                .finished(SLUFinished()),
            ])
    }

    func testActsAfterAudioAndOnDemand() async throws {
        let script = StreamScript()
            .on(.audio(6400), .send(.tentativeIntent("half way")))
            .on(.demand("measure"), .send(.roundTripRequest(id: 7)))
            .on(.demand("raw"), .sendBytes([0xFF]))
        let server = try MockSpeechlyServer(streams: [script])
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin, .silence(3200))
        try await server.received("half of the audio") { $0.contexts.first?.audio.count == 3200 }
        server.trigger("measure")
        stream.send(.silence(3200))
        server.trigger("nothing")
        let responses = await stream.responses(3)
        XCTAssertEqual(
            responses.map(\.streamingResponse),
            [
                .started(SLUStarted()), .rttRequest(RoundTripMeasurementRequest(id: 7)),
                .tentativeIntent(SLUIntent(intent: "half way")),
            ])
        stream.send(.rttResponse(RoundTripMeasurementResponse(id: 7)))
        try await server.received("the answer") { $0.streams[0].roundTripAnswers == [7] }
        server.trigger("raw")
        let event = await stream.next()
        XCTAssertEqual(event, .unreadable([0xFF]))
    }

    func testWaitsByItsClockBetweenActions() async throws {
        let clock = ManualClock()
        let script = StreamScript(automatic: false).on(.config, .wait(.seconds(60)), .end(.ok))
        let server = try MockSpeechlyServer(streams: [script], clock: clock)
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono)
        await clock.waitForSleepers()
        XCTAssertFalse(server.received.streams[0].isEnded)
        clock.advance(by: .seconds(60))
        let end = await stream.end()
        XCTAssertEqual(end, .ok)
    }

    func testEndsAStreamThatBreaksTheRules() async throws {
        let server = try MockSpeechlyServer()
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .silence(2))
        let end = await stream.end()
        XCTAssertEqual(end, .failedPrecondition)
        XCTAssertEqual(server.received.streams[0].violations, ["audio without a start"])
        let anonymous = try client.openStream(token: nil)
        let refused = await anonymous.end()
        XCTAssertEqual(refused, .permissionDenied)
        let garbage = try client.openStream()
        XCTAssertEqual(garbage.sendBytes([0x0A, 0xFF]), .sent)
        let unreadable = await garbage.end()
        XCTAssertEqual(unreadable, .internal)
    }

    func testLooksAwayIfItIsNotStrict() async throws {
        let server = try MockSpeechlyServer(isStrict: false)
        let client = try RawClient(server.address)
        let stream = try client.openStream(token: nil)
        stream.send(.begin, .mono)
        stream.closeSend()
        let end = await stream.end()
        XCTAssertEqual(end, .ok)
        XCTAssertEqual(server.received.streams[0].violations.count, 2)
    }

    // MARK: Faults

    func testRecordsThatTheClientCancelled() async throws {
        let server = try MockSpeechlyServer()
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin)
        try await server.received("the start") { $0.contexts.count == 1 }
        stream.cancel()
        let received = try await server.received("the end") { $0.streams[0].isEnded }
        XCTAssertTrue(received.streams[0].isCancelled)
    }

    func testBreaksConnectionsAndTakesNewOnes() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript().on(.start(), .dropConnections)])
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin)
        let end = await stream.end()
        XCTAssertEqual(end, .unavailable)
        try await client.channel.waitUntilReady(timeout: .seconds(20))
        let second = try client.openStream()
        second.send(.mono)
        second.closeSend()
        let ok = await second.end()
        XCTAssertEqual(ok, .ok)
    }

    func testRefusesConnectionsAndResetsStreams() async throws {
        let server = try MockSpeechlyServer(streams: [StreamScript().on(.config, .reset)])
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono)
        let end = await stream.end()
        XCTAssertNotEqual(end, .ok)
        server.setAcceptsConnections(false)
        server.dropConnections()
        // A channel that shares connections might still believe in the one that was just broken.
        let late = try Channel(address: server.address, configuration: Channel.Configuration(ownConnection: true))
        defer { late.close() }
        do {
            try await late.waitUntilReady(timeout: .seconds(20))
            XCTFail("nobody listens")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .unavailable)
        }
    }

    func testSaysNothingWhileStalled() async throws {
        let server = try MockSpeechlyServer()
        server.setStalled(true)
        let client = try RawClient(server.address)
        async let response = client.logIn()
        server.setStalled(false)
        let token = try await response.token
        XCTAssertFalse(token.isEmpty)
    }

    func testStopsReading() async throws {
        let script = StreamScript().on(.start(), .stopReading).on(.demand("go on"), .resumeReading)
        let server = try MockSpeechlyServer(streams: [script])
        let client = try RawClient(server.address)
        let stream = try client.openStream()
        stream.send(.mono, .begin)
        _ = await stream.responses(1)
        // Far more than all buffers on the way hold.
        let chunk = SLURequest(streamingRequest: .silence(64 * 1024)).serializedBytes()
        var sent = 0
        while stream.sendBytes(chunk) == .sent, sent < 1000 { sent += 1 }
        XCTAssertLessThan(sent, 1000)
        server.trigger("go on")
        try await server.received("all audio") { [sent] in $0.contexts[0].audio.count >= sent * 64 * 1024 }
    }

    func testListensOnAUnixSocketAndStopsWhenReleased() async throws {
        let path = NSTemporaryDirectory() + "/mock-\(UUID().uuidString.prefix(8)).sock"
        var server: MockSpeechlyServer? = try MockSpeechlyServer(address: GRPCAddress(unixPath: path))
        let client = try RawClient(XCTUnwrap(server?.address))
        let response = try await client.logIn()
        XCTAssertFalse(response.token.isEmpty)
        let stream = try client.openStream()
        stream.send(.mono, .begin)
        _ = await stream.responses(1)
        server = nil
        let end = await stream.end()
        XCTAssertNotEqual(end, .ok)
    }

    func testRefusesAddressesItCannotListenAt() throws {
        for text in ["grpc+tls://127.0.0.1:0", "grpc://localhost:0", "grpc://127.0.0.1:0,127.0.0.1:0"] {
            XCTAssertThrowsError(try MockSpeechlyServer(address: GRPCAddress(addr: text)), text) {
                XCTAssertTrue($0 is MockServerError, "\($0)")
            }
        }
    }
}
