import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// One kind of network trouble each, in the middle of speech.
final class ClientFaultTests: XCTestCase {
    private let wordBytes = 3200

    private func word(_ number: Int) -> [UInt8] {
        [UInt8(number), 0] + [UInt8](repeating: 0x11, count: wordBytes - 2)
    }

    /// Speaks twenty words through a proxy that does this to the stream's connections, and checks that each is heard
    /// once, in one context, without an error.
    private func speak(through faults: Fault..., line: UInt = #line) async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 3))
        let proxy = try FaultProxy(to: server.address)
        proxy.plan(faults)
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, sluAddress: proxy.address) {
            $0.connectTimeout = .seconds(1)
            $0.finishTimeout = .seconds(2)
        }
        client.delegate = log
        client.startContext()
        // Before that a start fails at once when its connection does.
        try await log.wait(for: "the start") { $0.contains(.started) }
        for number in 0..<20 { recorder.capture(word(number)) }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [], line: line)
        XCTAssertEqual(callbacks.count(of: .started), 1, line: line)
        XCTAssertEqual(callbacks.finalWords.map(\.value), (0..<20).map { "w\($0)" }, line: line)
        for fault in faults {
            XCTAssertGreaterThan(proxy.injected[fault.kind] ?? 0, 0, "\(fault) did not show", line: line)
        }
    }

    func testAConnectionThatIsCut() async throws { try await speak(through: .cut(after: 20_000)) }

    func testAConnectionThatIsReset() async throws {
        try await speak(through: .reset(after: 20_000), .reset(after: 30_000))
    }

    func testAConnectionThatIsRefusedOnTheWayBack() async throws {
        try await speak(through: .reset(after: 20_000), .refuse, .refuse)
    }

    func testAConnectionThatSaysNothingOnTheWayBack() async throws {
        try await speak(through: .reset(after: 20_000), .stall)
    }

    func testAConnectionThatHangs() async throws { try await speak(through: .hang(after: 20_000)) }

    func testASlowConnection() async throws {
        try await speak(through: .delay(.milliseconds(30)))
        try await speak(through: .throttle(bytesPerSecond: 200_000))
    }

    func testAConnectionThatIsHalfClosed() async throws { try await speak(through: .halfClose(after: 20_000)) }

    func testGarbageOnAConnection() async throws { try await speak(through: .garbage(after: 20_000, seed: 1)) }

    func testAServerWhoseSystemRefuses() async throws {
        let server = try MockSpeechlyServer()
        let proxy = try FaultProxy(to: server.address)
        proxy.setListening(false)
        let log = CallbackLog()
        let client = try Client.make(server, sluAddress: proxy.address)
        client.delegate = log
        client.startContext()
        try await log.wait(for: "the error") { !$0.errors.isEmpty }
        guard case .networkError(let text)? = log.errors.first else { return XCTFail("\(log.errors)") }
        XCTAssertTrue(text.contains("refused"), text)
        proxy.setListening(true)
        try await eventually("the proxy listens") {
            client.startContext()
            return log.callbacks.contains(.started)
        }
        XCTAssertEqual(client.state, .listening)
    }
}
