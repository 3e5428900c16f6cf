import Foundation
import TestSupport
import XCTest

/// The embedded service's temporary folder is gone when the tool is, whatever ended it.
final class LeftoverTests: XCTestCase {
    private let config = TestCases.url("speech/repos.sal").path
    private let file = TestCases.url("speech/order-by-stars.slt.wav").path

    private func temporary(_ home: TemporaryHome) throws -> URL {
        let url = home.url.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    private func left(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    func testNothingIsLeftAfterAnEndOfItsOwn() throws {
        let home = try TemporaryHome()
        let folder = try temporary(home)
        let runs: [(arguments: [String], status: Int32)] = [
            (["understand", "-c", config, "show me go"], 0), (["transcribe", "-c", config, "/nowhere.wav"], 1),
            (["transcribe", "-c", config, config], 1), (["understand", "-c", config, "--language", "fi", "x"], 1),
            (["transcribe", "-c", config, file], 0),
        ]
        for _ in 1...4 {
            for run in runs {
                let tool = try RunningTool(run.arguments, environment: ["TMPDIR": folder.path], home: home.url)
                XCTAssertEqual(try tool.finish().status, run.status, "\(run.arguments)")
                XCTAssertEqual(try left(in: folder), [], "\(run.arguments)")
            }
        }
    }

    func testNothingIsLeftAfterASignal() throws {
        // What is ignored here, as under nohup, is ignored by the tool too.
        let before = signal(SIGHUP, SIG_DFL)
        defer { signal(SIGHUP, before) }
        let home = try TemporaryHome()
        let folder = try temporary(home)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let tool = try RunningTool(
                ["understand", "-c", config, "go", "-"], environment: ["TMPDIR": folder.path], home: home.url)
            XCTAssertNotNil(tool.readLine())
            XCTAssertNotEqual(try left(in: folder), [])
            tool.signal(number)
            // Its input ends when it has ended, not before.
            XCTAssertNil(tool.readLine())
            XCTAssertEqual(try tool.finish().status, 128 + number)
            XCTAssertEqual(try left(in: folder), [])
        }
        for number in [SIGTERM, SIGINT, SIGHUP] {
            let tool = try RunningTool(
                ["transcribe", "-c", config, "--realtime", "--json", file], environment: ["TMPDIR": folder.path],
                home: home.url)
            XCTAssertNotNil(tool.readLine())
            tool.signal(number)
            XCTAssertEqual(try tool.finish().status, 1)
            XCTAssertEqual(try left(in: folder), [])
        }
    }

    func testNothingIsLeftAfterASecondSignal() throws {
        let home = try TemporaryHome()
        let folder = try temporary(home)
        // Standard input that says nothing: the first signal finds a file that does not end.
        let tool = try RunningTool(
            ["transcribe", "-c", config, file, "-"], environment: ["TMPDIR": folder.path], home: home.url)
        while let line = tool.readLine(), !line.hasPrefix("  ") {}
        tool.signal(SIGINT)
        tool.signal(SIGTERM)
        let outcome = try tool.finish()
        // Which of the two ends it is left to the system.
        XCTAssertNotEqual(outcome.status, 0)
        XCTAssertFalse(outcome.error.contains("is empty"), outcome.error)
        XCTAssertEqual(try left(in: folder), [])
    }
}
