import Foundation
import SpeechlySync
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Durations of a host, however far from any sense.
final class ClientConfigurationTests: XCTestCase {
    private typealias Setting = (inout ClientConfiguration, Duration) -> Void

    private let settings: [(name: String, set: Setting)] = [
        ("chunk", { $0.chunk = $1 }), ("tail", { $0.tail = $1 }), ("connectTimeout", { $0.connectTimeout = $1 }),
        ("loginTimeout", { $0.loginTimeout = $1 }), ("startTimeout", { $0.startTimeout = $1 }),
        ("finishTimeout", { $0.finishTimeout = $1 }), ("idleTimeout", { $0.idleTimeout = $1 }),
        ("bufferedAudio", { $0.bufferedAudio = $1 }), ("replayedAudio", { $0.replayedAudio = $1 }),
        ("contextLimit", { $0.contextLimit = $1 }), ("keepaliveInterval", { $0.keepaliveInterval = $1 }),
        ("keepaliveTimeout", { $0.keepaliveTimeout = $1 }),
    ]

    private let extremes: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.max) * 10, .seconds(Int64.min), .seconds(Int64.min) * 10,
        .seconds(-1), .zero, .nanoseconds(1),
    ]

    private func durations(_ configuration: ClientConfiguration) -> [String: Duration] {
        var found: [String: Duration] = [:]
        for child in Mirror(reflecting: configuration).children {
            if let value = child.value as? Duration { found[child.label ?? ""] = value }
        }
        return found
    }

    func testEveryDurationIsBounded() {
        for extreme in extremes {
            var configuration = ClientConfiguration()
            for setting in settings { setting.set(&configuration, extreme) }
            let bounded = durations(configuration.bounded)
            // Those that were set are all there are.
            XCTAssertEqual(Set(bounded.keys), Set(settings.map(\.name)))
            for (name, value) in bounded {
                XCTAssertTrue((.zero ... .longest).contains(value), "\(name): \(value) of \(extreme)")
            }
            XCTAssertGreaterThanOrEqual(configuration.bounded.contextLimit ?? .zero, .seconds(1))
        }
        XCTAssertEqual(durations(ClientConfiguration().bounded), durations(ClientConfiguration()))
    }

    func testAClientIsMadeWithAnyDuration() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        for setting in settings {
            for extreme in extremes {
                var configuration = ClientConfiguration()
                configuration.cacheDirectory = directory
                setting.set(&configuration, extreme)
                _ = try Client(
                    appId: UUID(), prepareOnInit: false, identityAddr: "grpc://127.0.0.1:9",
                    sluAddr: "grpc://127.0.0.1:9",
                    delegateDispatchQueue: DispatchQueue(label: "test"), configuration: configuration)
            }
        }
    }

    func testContextsWorkWithTheLongestDurations() async throws {
        let server = try MockSpeechlyServer(defaultStream: .hears("hello"))
        let recorder = FakeRecorder()
        let client = try Client.make(server, recorder: recorder) { configuration in
            for setting in self.settings { setting.set(&configuration, .seconds(Int64.max)) }
        }
        for _ in 0..<2 {
            _ = try await client.start()
            recorder.capture([1, 0])
            let context = try await client.stop()
            XCTAssertEqual(context.segments.flatMap(\.transcripts).map(\.value), ["hello"])
        }
    }

    func testASilenceOfAnyLengthIsSent() {
        for extreme in extremes {
            let values = ContextOptions(silenceTriggeredSegmentation: extreme).values(systemTimezone: nil)
            XCTAssertNotNil(
                values.first { $0.key == "silence_triggered_segmentation" }?.values.first.flatMap { Int64($0) })
        }
    }

    func testAReferenceTimeThatIsNoDateIsRefused() async throws {
        let server = try MockSpeechlyServer()
        let client = try Client.make(server)
        for seconds in [Double.nan, 1e300, -1e300, .infinity, 253_402_300_800, -62_135_596_801] {
            let date = Date(timeIntervalSince1970: seconds)
            do {
                _ = try await client.understand(text: "tomorrow", referenceTime: date)
                XCTFail("no error: \(seconds)")
            } catch let failure as Failure {
                XCTAssertEqual(failure.code, .unsupported, "\(failure)")
                XCTAssertTrue(failure.what.contains("reference time"), "\(failure)")
            }
        }
    }
}
