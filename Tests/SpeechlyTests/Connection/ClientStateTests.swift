import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// The states that the owner of a client sees, and why they change.
final class ClientStateTests: XCTestCase {
    func testAContextFromStartToStop() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        XCTAssertEqual(client.state, .disconnected)
        var states = client.states.makeAsyncIterator()
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        XCTAssertEqual(client.state, .listening)
        client.stopContext()
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        var changes: [ClientStateChange] = []
        for _ in 0..<4 { if let change = await states.next() { changes.append(change) } }
        XCTAssertEqual(
            changes,
            [
                ClientStateChange(state: .connecting, reason: .requested),
                ClientStateChange(state: .listening, reason: .contextStarted),
                ClientStateChange(state: .stopping, reason: .requested),
                ClientStateChange(state: .connected, reason: .contextFinished),
            ])
        try await eventually("the delegate has heard of all") { log.states.count == 4 }
        XCTAssertEqual(log.states, changes)
    }

    func testTheEndOfASourceIsWhyAContextStops() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        var states = client.states.makeAsyncIterator()
        _ = try await client.transcribe(BytesSource(chunks: [[1, 0]]))
        var changes: [ClientStateChange] = []
        for _ in 0..<4 { if let change = await states.next() { changes.append(change) } }
        XCTAssertEqual(changes[2], ClientStateChange(state: .stopping, reason: .audioEnded))
    }

    func testAStopOfASourceIsRequested() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let states = client.states
        let source = try PushAudioSource()
        async let context = client.transcribe(source)
        try await eventually("the context listens") { client.state == .listening }
        client.stopContext()
        _ = try await context
        let changes = await states.first(4)
        XCTAssertEqual(
            changes.map(\.reason), [.requested, .contextStarted, .requested, .contextFinished], "\(changes)")
    }

    func testASourceThatFailsIsTheReasonToStop() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        let states = client.states
        do {
            _ = try await client.transcribe(BytesSource(chunks: [[1, 2, 3, 4]], fails: true))
            XCTFail("no error")
        } catch { XCTAssertTrue(error is BytesSource.Broken, "\(error)") }
        let changes = await states.first(4)
        guard changes.count == 4, case .failed(let failure) = changes[2].reason else { return XCTFail("\(changes)") }
        XCTAssertEqual(failure.code, .audioFailed)
    }

    func testAMicrophoneThatEndsByItselfIsTheReasonToStop() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder(endsTailAtOnce: false)
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        let states = client.states
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        recorder.endTail()
        let changes = await states.first(4)
        XCTAssertEqual(
            changes.map(\.reason), [.requested, .contextStarted, .audioEnded, .contextFinished], "\(changes)")
    }

    func testAConnectionThatIsMadeAnewIsSeen() async throws {
        let server = try MockSpeechlyServer()
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        var states = client.states.makeAsyncIterator()
        server.dropConnections()
        let lost = await states.next()
        XCTAssertEqual(lost?.state, .connecting)
        guard case .connectionLost(let failure)? = lost?.reason else { return XCTFail("\(lost as Any)") }
        XCTAssertEqual(failure.side, .network)
        let back = await states.next()
        XCTAssertEqual(back?.state, .listening)
    }

    func testFailedIsForWhatTryingAgainCannotMend() async throws {
        let unknown = GRPCStatus(code: .notFound, message: "no such app")
        let server = try MockSpeechlyServer(logins: [.status(unknown)])
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the error") { !$0.errors.isEmpty }
        guard case .failed(let failure) = client.state else { return XCTFail("\(client.state)") }
        XCTAssertEqual(failure.code, .loginFailed)
        client.startContext()
        try await log.wait(for: "the start") { $0.contains(.started) }
        XCTAssertEqual(client.state, .listening)
    }

    func testAServiceOutOfReachIsNoFailureForGood() async throws {
        let server = try MockSpeechlyServer()
        server.setAcceptsConnections(false)
        let log = CallbackLog()
        let client = try Client.make(server)
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the error") { !$0.errors.isEmpty }
        XCTAssertEqual(client.state, .disconnected)
        try await eventually("the states are told") { log.states.count == 2 }
        XCTAssertEqual(log.states.map(\.state), [.connecting, .disconnected])
    }
}

extension AsyncSequence {
    /// The first elements, waited for.
    fileprivate func first(_ count: Int) async rethrows -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}
