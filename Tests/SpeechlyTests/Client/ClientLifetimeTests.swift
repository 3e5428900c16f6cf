import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Delegates that do what they like, and clients that go away.
final class ClientLifetimeTests: XCTestCase {
    func testReleasingTheClientInACallbackReleasesEverything() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let holder = Locked<Client?>(nil)
        let log = CallbackLog { _ in holder.withLock { $0 = nil } }
        weak var released: Client?
        do {
            let client = try Client.make(server, recorder: recorder)
            client.delegate = log
            released = client
            holder.withLock { $0 = client }
            client.startContext()
        }
        try await log.wait(for: "the start") { $0.contains(.started) }
        try await server.received("the end of the stream") { $0.streams.first?.isEnded == true }
        try await eventually("the microphone is closed") { !recorder.isRecording }
        XCTAssertNil(released)
        XCTAssertNil(recorder.delegate)
        XCTAssertEqual(log.callbacks, [.started])
    }

    func testACallbackMayCallAnyMethod() async throws {
        let server = try MockSpeechlyServer(streams: [.hears("a"), .hears("b")])
        let recorder = FakeRecorder()
        let holder = Locked<Client?>(nil)
        let second = CallbackLog()
        let first = CallbackLog { callback in
            guard let client = holder.withLock({ $0 }) else { return }
            switch callback {
            case .started:
                client.startContext()
                client.stopContext()
            case .stopped:
                client.suspend()
                try? client.resume()
                client.delegate = second
                client.startContext()
            default: break
            }
        }
        let client = try Client.make(server, recorder: recorder)
        holder.withLock { $0 = client }
        client.delegate = first
        client.startContext()
        recorder.capture([1, 0])
        try await second.wait(for: "the start of the second context") { $0.contains(.started) }
        XCTAssertEqual(first.callbacks.count(of: .stopped), 1)
        XCTAssertFalse(second.callbacks.contains(.stopped))
        holder.withLock { $0 = nil }
    }

    func testCallsFromManyThreadsInAnyOrderEndInPeace() async throws {
        let server = try MockSpeechlyServer()
        let recorder = FakeRecorder()
        let log = CallbackLog()
        let client = try Client.make(server, recorder: recorder)
        client.delegate = log
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SplitMix(seed: UInt64(worker))
                    for _ in 0..<40 {
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0...2: client.startContext()
                        case 3...4: client.stopContext()
                        case 5: recorder.capture([1, 0])
                        case 6: client.suspend()
                        default: try? client.resume()
                        }
                    }
                }
            }
        }
        try client.resume()
        client.stopContext()
        _ = try await client.start()
        recorder.capture([2, 0])
        let context = try await client.stop()
        XCTAssertFalse(context.id.isEmpty)
        XCTAssertEqual(server.received.streams.flatMap(\.violations), [])
        try await log.wait(for: "every stop") { $0.count(of: .started) == $0.count(of: .stopped) }
    }

    func testClientsMayGoAwayAtAnyMoment() async throws {
        let server = try MockSpeechlyServer()
        for _ in 0..<100 {
            let client = try Client.make(server)
            client.startContext()
        }
        let client = try Client.make(server)
        _ = try await client.start()
        _ = try await client.stop()
    }
}
