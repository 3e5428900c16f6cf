import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// What a connection does not outlive.
final class ConnectionWatchTests: XCTestCase {
    private final class Switch: ConnectionWatch {
        let pending = Locked<String?>(nil)
        func change() -> String? {
            pending.withLock { change in
                defer { change = nil }
                return change
            }
        }
    }

    func testSleepAndLostAddressesAreNoticedOnce() {
        let slept = Locked(Duration.zero)
        let addresses = Locked<Set<String>>(["10.0.0.2"])
        let watch = SystemWatch(slept: { slept.withLock { $0 } }, addresses: { addresses.withLock { $0 } })
        XCTAssertNil(watch.change())
        slept.withLock { $0 = .seconds(20) }
        XCTAssertEqual(watch.change(), "the machine has slept")
        XCTAssertNil(watch.change())
        addresses.withLock { $0 = ["10.0.0.2", "fd00::7"] }
        XCTAssertNil(watch.change())
        addresses.withLock { $0 = ["192.168.1.5", "fd00::7"] }
        XCTAssertEqual(watch.change(), "the network has changed")
        XCTAssertNil(watch.change())
    }

    func testTheSystemCanBeAsked() {
        XCTAssertGreaterThanOrEqual(SystemWatch.timeAsleep(), .milliseconds(-10))
        XCTAssertTrue(SystemWatch.networkAddresses().allSatisfy { !$0.hasPrefix("127.") })
        XCTAssertNil(SystemWatch().change())
    }

    func testAContextGoesOnOverAFreshConnectionAfterASleep() async throws {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: 3200, wordsPerSegment: 2))
        let watch = Switch()
        let time = ManualTime()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder, clock: time, watch: watch)
        client.delegate = log
        client.startContext()
        recorder.capture([1, 0] + [UInt8](repeating: 1, count: 3198))
        try await log.wait(for: "the word") { $0.finalWords.count == 1 }
        // The connection hangs, as one does whose other end is out of reach.
        server.setStalled(true)
        watch.pending.withLock { $0 = "the machine has slept" }
        time.advance(by: .seconds(2))
        server.setStalled(false)
        recorder.capture([2, 0] + [UInt8](repeating: 1, count: 3198))
        try await eventually("the second word") {
            time.advance(by: .milliseconds(1))
            return log.callbacks.finalWords.count == 2
        }
        client.stopContext()
        let callbacks = try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(callbacks.errors, [])
        XCTAssertEqual(callbacks.finalWords.map(\.value), ["w1", "w2"])
        XCTAssertEqual(server.received.streams.count, 2)
    }

    func testAnIdleConnectionIsNotUsedAfterASleep() async throws {
        let server = try MockSpeechlyServer()
        let watch = Switch()
        let log = CallbackLog()
        let client = try Client.make(server, watch: watch)
        client.delegate = log
        for round in 1...2 {
            watch.pending.withLock { $0 = "the network has changed" }
            client.startContext()
            client.stopContext()
            try await log.wait(for: "stop \(round)") { $0.count(of: .stopped) == round }
        }
        XCTAssertEqual(log.errors, [])
        XCTAssertEqual(server.received.streams.count, 2)
    }
}
