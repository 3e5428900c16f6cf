import Foundation
import Speechly
import SpeechlyTesting
import TestSupport
import XCTest

/// Several processes that keep their token and device id in the same folder at once.
final class SharedCacheTests: XCTestCase {
    private static let app = "9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11"
    private let file = TestCases.url("speech/order-by-stars.slt.wav").path

    private func values(_ folder: URL) throws -> [String: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var values: [String: String] = [:]
        for name in names where !name.hasPrefix(".new-") {
            // A file may be replaced between the list and the look.
            let data = try? Data(contentsOf: folder.appendingPathComponent(name))
            if let data { values[name] = String(decoding: data, as: UTF8.self) }
        }
        return values
    }

    private func checkWhole(_ values: [String: String], _ round: Int) {
        for (name, value) in values {
            if name == "deviceId" {
                XCTAssertNotNil(UUID(uuidString: value), "round \(round): '\(value)'")
            } else {
                XCTAssertNotNil(ApiAccessToken(tokenString: value), "round \(round): \(name) holds '\(value)'")
            }
        }
    }

    func testProcessesThatWriteAtOnceLeaveWholeFilesAndOneDeviceId() async throws {
        for round in 1...6 {
            let clock = ManualClock()
            // Tokens of different lengths, so that a file made of two of them could not be either.
            let server = try MockSpeechlyServer(
                logins: (0..<4).map { .token(lifetime: 86_400 * pow(10, Double($0))).delayed(.seconds(1)) },
                clock: clock)
            let home = try TemporaryHome()
            let tools = try (0..<4).map { _ in
                try RunningTool(
                    [
                        "transcribe", "--slu-addr", server.address.description, "--identity-addr",
                        server.address.description, "--app-id", Self.app, file,
                    ], home: home.url)
            }
            // All have their device id, none a token; then all get one in the same moment.
            try await server.received("the logins") { $0.logins.count == 4 }
            await clock.waitForSleepers(4)
            let folder = home.url.appendingPathComponent(".local/state/speechly")
            checkWhole(try values(folder), round)
            clock.advance(by: .seconds(1))
            while tools.contains(where: \.isRunning) {
                checkWhole(try values(folder), round)
                await Task.yield()
            }
            for tool in tools { XCTAssertEqual(try tool.finish().status, 0) }
            let received = server.received
            XCTAssertEqual(Set(received.logins.map(\.request.deviceId)).count, 1, "round \(round)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            XCTAssertEqual(names.count, 2, "round \(round): \(names)")
            let kept = try values(folder)
            checkWhole(kept, round)
            XCTAssertEqual(kept["deviceId"], received.logins.first?.request.deviceId)
            let tokens = Set(received.streams.compactMap(\.token))
            XCTAssertEqual(tokens.count, 4, "round \(round)")
            XCTAssertTrue(kept.contains { $0.key != "deviceId" && tokens.contains($0.value) }, "round \(round)")
        }
    }
}
