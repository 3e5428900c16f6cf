import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Connections that stay open and say nothing any more, in the middle of a context. Every other limit is set so far
/// away that only keepalive can notice.
final class ClientKeepaliveTests: XCTestCase {
    private let wordBytes = 3200
    private var folder = URL(fileURLWithPath: "/")

    override func setUp() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-keepalive-\(UUID())")
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func word(_ number: Int) -> Data {
        Data([UInt8(number), 0] + [UInt8](repeating: 0x11, count: wordBytes - 2))
    }

    private func makeClient(
        _ server: MockSpeechlyServer, _ proxy: FaultProxy, configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> Client {
        var configuration = ClientConfiguration()
        configuration.cacheDirectory = folder
        configuration.keepaliveInterval = .milliseconds(200)
        configuration.keepaliveTimeout = .milliseconds(200)
        configuration.startTimeout = .seconds(600)
        configuration.finishTimeout = .seconds(600)
        configure(&configuration)
        return try Client(
            appId: testAppId, prepareOnInit: false, identityAddr: server.address.description,
            sluAddr: proxy.address.description, configuration: configuration)
    }

    /// Speaks through a first connection that goes silent both ways within the context, waits until the client knows,
    /// and says how long that took.
    private func speak(
        _ client: Client, _ log: CallbackLog, _ proxy: FaultProxy, _ source: PushAudioSource
    ) async throws -> Duration {
        client.delegate = log
        for number in 0..<3 { _ = source.push(word(number)) }
        try await log.wait(for: "the first words") { $0.finalWords.count == 3 }
        for number in 3..<20 { _ = source.push(word(number)) }
        try await eventually("the silence") { proxy.injected[.hang] == 1 }
        let moment = ContinuousClock.now
        try await eventually("the loss noticed") {
            log.states.contains { if case .connectionLost = $0.reason { true } else { false } }
        }
        return ContinuousClock.now - moment
    }

    private func makeServer() throws -> (MockSpeechlyServer, FaultProxy) {
        let server = try MockSpeechlyServer(defaultStream: .dictation(wordBytes: wordBytes, wordsPerSegment: 2))
        return (server, try FaultProxy(to: server.address))
    }

    func testAContextGoesOnAfterItsPeerHasGoneSilent() async throws {
        let (server, proxy) = try makeServer()
        proxy.plan([.hang(after: 30_000)])
        let client = try makeClient(server, proxy)
        let log = CallbackLog()
        let source = try PushAudioSource(sampleRate: 16_000, channels: 1, format: .int16)
        async let context = client.transcribe(source)
        let noticed = try await speak(client, log, proxy, source)
        // The interval and the time for an answer are 400 ms; the rest is for a machine with other things to do.
        XCTAssertLessThan(noticed, .seconds(10))
        for number in 20..<25 { _ = source.push(word(number)) }
        source.finish()
        let words = try await context.segments.flatMap(\.transcripts).map(\.value)
        XCTAssertEqual(words, (0..<25).map { "w\($0)" })
        XCTAssertEqual(log.errors, [])
        XCTAssertEqual(proxy.connections, 2)
    }

    func testAContextEndsInOneErrorWhenEveryConnectionIsSilent() async throws {
        let (server, proxy) = try makeServer()
        proxy.plan([.hang(after: 30_000)], then: .stall)
        let client = try makeClient(server, proxy) {
            $0.maximumReconnects = 2
            $0.connectTimeout = .milliseconds(300)
        }
        let log = CallbackLog()
        let source = try PushAudioSource(sampleRate: 16_000, channels: 1, format: .int16)
        async let context = client.transcribe(source)
        _ = try await speak(client, log, proxy, source)
        do {
            _ = try await context
            XCTFail("a context was heard through silence")
        } catch {
            let failure = try XCTUnwrap(error as? Failure)
            XCTAssertEqual(failure.side, .network, "\(failure)")
            XCTAssertNotNil(failure.lostSpan, "\(failure)")
            XCTAssertEqual(failure.lostSpan?.lowerBound.truncatingRemainder(dividingBy: 0.2) ?? 1, 0, accuracy: 1e-9)
        }
        try await log.wait(for: "the stop") { $0.contains(.stopped) }
        XCTAssertEqual(log.errors.count, 1)
        XCTAssertEqual(client.state, .disconnected)
    }
}
