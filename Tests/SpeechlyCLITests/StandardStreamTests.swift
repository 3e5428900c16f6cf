import Foundation
import TestSupport
import XCTest

/// Standard input and output that are closed, unreadable, or too long.
final class StandardStreamTests: XCTestCase {
    private let config = TestCases.url("speech/repos.sal").path

    private func assertFails(_ line: String, _ expected: String, at place: UInt = #line) throws {
        let outcome = try RunningTool.run(shell: line)
        XCTAssertEqual(outcome.error, "speechly: \(expected)\n", line, line: place)
        XCTAssertEqual(outcome.status, 1, line, line: place)
        XCTAssertEqual(outcome.output, "", line, line: place)
    }

    func testClosedOutputIsAFailureAndGetsNothingElse() throws {
        for command in ["understand -c '\(config)' 'show me go'", "sal sample '\(config)'", "--version", "--help"] {
            try assertFails("\"$0\" \(command) >&-", "standard output: Bad file descriptor")
        }
        let outcome = try RunningTool.run(shell: "\"$0\" understand -c '\(config)' 'show me go' <&- 2>&-")
        XCTAssertEqual(outcome.output, "filter: show me [go](language)\n")
        XCTAssertEqual(outcome.status, 0)
    }

    func testInputThatCannotBeReadIsAFailure() throws {
        try assertFails("\"$0\" understand -c '\(config)' - </", "standard input: Is a directory")
        try assertFails("\"$0\" understand -c '\(config)' - <&-", "standard input: Bad file descriptor")
        try assertFails(
            "\"$0\" sal check /proc/self/mem", "cannot read the configuration /proc/self/mem: Input/output error")
        for input in ["</", "<&-"] {
            let outcome = try RunningTool.run(shell: "\"$0\" transcribe -c '\(config)' - \(input)")
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error)
            XCTAssertFalse(outcome.error.contains("empty"), outcome.error)
        }
    }

    func testALineThatIsTooLongIsNotReadWhole() throws {
        try assertFails(
            "head -c 200000000 /dev/zero | tr '\\0' a | \"$0\" understand -c '\(config)' -",
            "standard input: line 1 has more than 100000 bytes, the longest a text may be")
    }

    func testEveryTextHasALine() throws {
        let outcome = try RunningTool.run(
            ["understand", "-c", config, "-"], input: Data("show me go\r\n\n   \nsort by stars".utf8))
        XCTAssertEqual(outcome.error, "")
        XCTAssertEqual(outcome.output, "filter: show me [go](language)\n\n\nsort: sort by [stars](sort_field)\n")
    }

    func testAReaderThatHasSeenEnoughIsNoNews() throws {
        let outcome = try RunningTool.run(shell: "\"$0\" sal sample -n 100000 '\(config)' | head -1")
        XCTAssertEqual(outcome.lines.count, 1)
        XCTAssertEqual(outcome.error, "")
    }
}
