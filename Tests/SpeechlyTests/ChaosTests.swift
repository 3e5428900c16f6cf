import ChaosDriver
import Foundation
import XCTest

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

    func testABrokenClientIsFound() async throws {
        for sabotage in ChaosSabotage.allCases {
            let report = try await ChaosDriver(seed: 3, sessions: 12, sabotage: sabotage).run()
            XCTAssertFalse(report.violations.isEmpty, "\(sabotage)")
        }
    }
}
