import ChaosDriver
import Foundation
import SpeechlyTesting
import XCTest

@testable import Speechly

/// Sessions of clients among faults. `make chaos` runs many more.
final class ChaosTests: XCTestCase {
    func testNothingIsLostAmongFaults() async throws {
        let report = try await ChaosDriver(seed: 7, sessions: 120).run()
        XCTAssertEqual(report.sessions, 120)
        XCTAssertEqual(report.violations.map(\.description), [], report.text)
        XCTAssertGreaterThan(report.words, 500, report.text)
    }

    /// Seeds of sessions that have found something once.
    func testSeedsThatFoundSomethingStayClean() async throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("ChaosDriver/seeds.txt")
        let seeds = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.compactMap { UInt64($0) }
        XCTAssertFalse(seeds.isEmpty)
        let report = try await ChaosDriver(seed: 0, sessions: seeds.count).run(seeds)
        XCTAssertEqual(report.violations.map(\.description), [], report.text)
    }

    func testWhatAnEarlierSessionSaysIsNotTakenForThisOnes() async throws {
        let server = try MockSpeechlyServer()
        let client = try SluClient(addr: server.address.description)
        try await client.connect(
            token: .made(), config: SluConfig(sampleRate: 16000, channels: 1, languageCode: "earlier"))
        try await client.startContext()
        try await client.write(data: Data([1, 0, 3, 3]))
        try await client.stopContext()
        let received = try await server.received("the stop") { $0.contexts.first?.isStopped == true }
        let own = ChaosHearing(received.streams, mark: "earlier")
        XCTAssertEqual(
            own.problems(spoken: [[1, 2]], isWhole: false), ["audio of start 1 from word 1 is not what was said"])
        XCTAssertEqual(ChaosHearing(received.streams, mark: "now").problems(spoken: [[1, 2]], isWhole: false), [])
    }

    func testABrokenClientIsFound() async throws {
        for sabotage in ChaosSabotage.allCases {
            let report = try await ChaosDriver(seed: 3, sessions: 12, sabotage: sabotage).run()
            XCTAssertFalse(report.violations.isEmpty, "\(sabotage)")
        }
    }
}
