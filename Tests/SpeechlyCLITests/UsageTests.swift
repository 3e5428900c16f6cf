import Foundation
import XCTest

@testable import SpeechlyCLI

final class UsageTests: XCTestCase {
    func testHelpOfEveryCommandGoesToStandardOutput() throws {
        let program = try RunningTool.run(["--help"])
        XCTAssertEqual(program.status, 0)
        XCTAssertEqual(program.error, "")
        for command in Tool.commands {
            XCTAssertTrue(program.output.contains("  \(command.syntax.name)  "), command.syntax.name)
            let help = try RunningTool.run(command.syntax.words + ["--help"])
            XCTAssertEqual(help.status, 0)
            XCTAssertTrue(help.output.hasPrefix("usage: speechly \(command.syntax.name)"), help.output)
            XCTAssertEqual(help.error, "")
        }
        XCTAssertEqual(try RunningTool.run(["sal", "--help"]).status, 0)
    }

    func testWrongUsageIsOneLineAndStatus2() throws {
        for arguments in [
            [], ["listn"], ["sal"], ["sal", "chek", "x"], ["serve", "a", "b"], ["serve", "--listen", "http://x"],
            ["serve", "--app-id", "x"], ["serve", "--grace", "-1"], ["serve", "--listen", "grpc+tls://h"],
            ["sal", "sample", "x", "-n", "0"], ["sal", "sample", "x", "--seed", "abc"], ["sal", "check"],
        ] {
            let outcome = try RunningTool.run(arguments)
            XCTAssertEqual(outcome.status, 2, "\(arguments)")
            XCTAssertEqual(outcome.output, "", "\(arguments)")
            XCTAssertTrue(outcome.error.hasPrefix("speechly: "), outcome.error)
            XCTAssertEqual(
                outcome.error.split(separator: "\n", omittingEmptySubsequences: false).count, 2, outcome.error)
        }
    }
}
