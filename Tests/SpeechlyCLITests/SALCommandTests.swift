import Foundation
import TestSupport
import XCTest

final class SALCommandTests: XCTestCase {
    private let repos = TestCases.url("speech/repos.sal").path

    func testCheckSaysWhatAGoodConfigurationHolds() throws {
        let outcome = try RunningTool.run(["sal", "check", repos])
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(outcome.output, "\(repos): 3 intents, 2 entity types, 26 words\n")
    }

    func testCheckPrintsEveryErrorWithItsPlace() throws {
        let home = try TemporaryHome()
        let path = try home.write("*a $missing\n*b [x | y](\n", to: "bad.sal")
        let outcome = try RunningTool.run(["sal", "check", path])
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.output.contains("\(path):1:4:ERROR:"), outcome.output)
        XCTAssertTrue(outcome.output.contains("\(path):2:"), outcome.output)
        XCTAssertTrue(outcome.error.hasPrefix("speechly: \(path): "), outcome.error)
    }

    func testSampleDrawsTheSameForTheSameSeed() throws {
        let arguments = ["sal", "sample", repos, "-n", "5", "--seed", "7"]
        let first = try RunningTool.run(arguments)
        XCTAssertEqual(first.status, 0)
        XCTAssertEqual(first.lines.count, 5)
        XCTAssertTrue(first.lines.allSatisfy { $0.hasPrefix("*") }, first.output)
        XCTAssertEqual(try RunningTool.run(arguments).output, first.output)
        XCTAssertNotEqual(try RunningTool.run(["sal", "sample", repos, "-n", "5", "--seed", "8"]).output, first.output)
    }

    func testUnreadableFilesAreOneLine() throws {
        for (path, reason) in [("/nowhere.sal", "No such file"), ("/proc", "no config.yaml")] {
            for command in ["check", "sample"] {
                let outcome = try RunningTool.run(["sal", command, path])
                XCTAssertEqual(outcome.status, 1)
                XCTAssertEqual(outcome.output, "")
                XCTAssertTrue(outcome.error.hasPrefix("speechly: ") && outcome.error.contains(path), outcome.error)
                XCTAssertTrue(outcome.error.contains(reason), outcome.error)
            }
        }
    }
}
