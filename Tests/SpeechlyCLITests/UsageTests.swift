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
        let group = try RunningTool.run(["sal", "--help"])
        XCTAssertEqual(group.status, 0)
        XCTAssertTrue(group.output.contains("usage: speechly sal COMMAND"), group.output)
    }

    func testSaysWhichVersionItIs() throws {
        let outcome = try RunningTool.run(["--version"])
        XCTAssertEqual(outcome.status, 0)
        let match = try XCTUnwrap(
            outcome.output.wholeMatch(of: /speechly (\d+\.\d+\.\d+), gRPC core \d+\.\d+\.\d+\n/), outcome.output)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let changes = try String(
            contentsOf: root.deletingLastPathComponent().appendingPathComponent("docs/CHANGELOG.md"), encoding: .utf8)
        let newest = try XCTUnwrap(changes.split(separator: "\n").first { $0.hasPrefix("## ") })
        XCTAssertTrue(newest.hasPrefix("## \(match.1)"), String(newest))
    }

    func testAnArgumentThatIsNotUTF8IsSaidToBeNone() throws {
        let script = "exec \"$0\" transcribe a.wav \"$(printf '\\377.wav')\""
        let outcome = try RunningTool.run(shell: script)
        XCTAssertEqual(outcome.status, 2)
        XCTAssertTrue(outcome.error.hasPrefix("speechly: argument 3: is not UTF-8"), outcome.error)
    }

    func testWrongUsageIsOneLineAndStatus2() throws {
        for arguments in [
            [], ["listn"], ["sal"], ["sal", "chek", "x"], ["serve", "a", "b"], ["serve", "--listen", "http://x"],
            ["serve", "--app-id", "x"], ["serve", "--grace", "-1"], ["serve", "--listen", "grpc+tls://h"],
            ["serve", "--listen", "grpc://0.0.0.0:0"], ["serve", "--tls-cert", "x"], ["serve", "--tls-client-ca", "x"],
            ["serve", "--tls-cert", "x", "--tls-key", "y"], ["serve", "--metrics", "70000"],
            ["serve", "--log-level", "loud"], ["serve", "--max-streams", "0"], ["serve", "a", "--apps", "b"],
            ["serve", "--apps", "b", "--app-id", "11111111-1111-4111-8111-111111111111"],
            ["sal", "sample", "x", "-n", "0"], ["sal", "sample", "x", "--seed", "abc"], ["sal", "check"],
            ["transcribe", ""], ["transcribe", "a.wav", ""], ["sal", "check", ""],
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
