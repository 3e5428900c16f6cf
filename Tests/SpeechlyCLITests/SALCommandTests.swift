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

    func testSaysHowMuchIsLeftOut() throws {
        let home = try TemporaryHome()
        let errors = try home.write(String(repeating: "hello\n", count: 357), to: "errors.sal")
        let outcome = try RunningTool.run(["sal", "check", errors])
        XCTAssertEqual(outcome.lines.last, "and 257 more errors")
        XCTAssertEqual(outcome.error, "speechly: \(errors): 357 errors\n")
        let notes = try home.write(
            "*a b\n" + (0..<101).map { "x\($0) = b\n" }.joined(), to: "notes.sal")
        let noted = try RunningTool.run(["sal", "check", notes])
        XCTAssertEqual(noted.lines.dropLast().last, "and 1 more note")
        XCTAssertEqual(noted.status, 0)
    }

    func testWarnsOfWhatTheServiceWouldRefuseOrNotHear() throws {
        let home = try TemporaryHome()
        _ = try home.write("", to: "empty.csv")
        let path = try home.write(
            """
            lang: xx-YY
            templates: |
              *go there $place
            imports:
              - name: place
                source: empty.csv
            """, to: "config.yaml")
        let outcome = try RunningTool.run(["sal", "check", path])
        XCTAssertTrue(
            outcome.output.contains("1:7:WARNING:the shipped recogniser does not hear 'xx-YY'"), outcome.output)
        XCTAssertTrue(outcome.output.contains("the import 'place' has no words"), outcome.output)
    }

    func testHintsFitWhatIsWrongWithTheYAML() throws {
        let home = try TemporaryHome()
        let alias = try home.write("templates:\n  - *go there\n", to: "alias.yaml")
        let deep = try home.write(
            "a: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40), to: "deep.yaml")
        XCTAssertTrue(try RunningTool.run(["sal", "check", alias]).output.contains("'&go'"))
        XCTAssertTrue(
            try RunningTool.run(["sal", "check", deep]).output.contains("hint: a configuration is a mapping"))
    }
}
