import XCTest

@testable import SpeechlyCLI

final class ArgumentParserTests: XCTestCase {
    private let json = Option("json", .flag, help: "print JSON")
    private let config = Option("config", letter: "c", .value("FILE"), environment: "SPEECHLY_CONFIG", help: "the SAL")
    private let listen = Option("listen", .list("ADDR"), help: "where")

    private func parser(
        _ operands: Operands = Operands(name: "FILE", count: 1...Int.max, help: "audio"),
        environment: [String: String] = [:]
    ) -> ArgumentParser {
        ArgumentParser(
            syntax: CommandSyntax(
                words: ["hear"], summary: "hears", details: "Hears.", operands: operands,
                options: [json, config, listen]
            ),
            environment: environment
        )
    }

    func testAcceptsEveryWayToWriteAnOption() throws {
        for arguments in [
            ["--config", "a.sal", "x.wav"], ["--config=a.sal", "x.wav"], ["-c", "a.sal", "x.wav"],
            ["-ca.sal", "x.wav"],
            ["x.wav", "--config", "a.sal"],
        ] {
            let parsed = try parser().parse(arguments)
            XCTAssertEqual(parsed.value(config), "a.sal")
            XCTAssertEqual(parsed.operands, ["x.wav"])
            XCTAssertFalse(parsed.has(json))
        }
    }

    func testKeepsValuesThatContainEqualsSigns() throws {
        XCTAssertEqual(try parser().parse(["--config=a=b", "x"]).value(config), "a=b")
    }

    func testCollectsRepeatedOptionsInOrder() throws {
        let parsed = try parser().parse(["--listen", "a", "--listen=b", "x"])
        XCTAssertEqual(parsed.list(listen), ["a", "b"])
    }

    func testTakesEverythingAfterTwoDashesAsOperands() throws {
        XCTAssertEqual(try parser().parse(["--json", "--", "--json", "-"]).operands, ["--json", "-"])
    }

    func testTakesOneDashAsAnOperand() throws {
        XCTAssertEqual(try parser().parse(["-"]).operands, ["-"])
    }

    func testPrefersTheOptionOverTheEnvironment() throws {
        let environment = ["SPEECHLY_CONFIG": "env.sal"]
        XCTAssertEqual(try parser(environment: environment).parse(["x"]).value(config), "env.sal")
        let both = try parser(environment: environment).parse(["x", "--config", "a.sal"])
        XCTAssertEqual(both.value(config), "a.sal")
        XCTAssertEqual(both.origin(of: config), "--config")
        XCTAssertNil(try parser(environment: ["SPEECHLY_CONFIG": ""]).parse(["x"]).value(config))
    }

    func testNamesWhatIsWrong() {
        let cases: [([String], UsageError)] = [
            (
                ["--jsom", "x"],
                UsageError("--jsom", "unknown option (did you mean --json?); see 'speechly hear --help'")
            ),
            (["--colour", "x"], UsageError("--colour", "unknown option; see 'speechly hear --help'")),
            (["-z", "x"], UsageError("-z", "unknown option; see 'speechly hear --help'")),
            (["--json=yes", "x"], UsageError("--json", "takes no value")),
            (["x", "--config"], UsageError("--config", "needs a value: --config FILE")),
            (["x", "--config="], UsageError("--config", "needs a value: --config FILE")),
            (["--config", "--json", "x"], UsageError("--config", "needs a value before '--json': --config FILE")),
            (["--config", "a", "-c", "b", "x"], UsageError("-c", "given twice")),
            ([], UsageError("hear", "needs FILE…: audio")),
        ]
        for (arguments, expected) in cases {
            XCTAssertThrowsError(try parser().parse(arguments), "\(arguments)") {
                XCTAssertEqual($0 as? UsageError, expected)
            }
        }
        XCTAssertThrowsError(try parser(.none).parse(["x"])) {
            XCTAssertEqual($0 as? UsageError, UsageError("hear", "unexpected argument 'x'"))
        }
    }

    func testAsksForNothingElseWhereHelpIsAsked() throws {
        XCTAssertTrue(try parser().parse(["--help"]).has(CommandSyntax.help))
        XCTAssertTrue(try parser().parse(["-h"]).has(CommandSyntax.help))
    }

    func testHelpNamesEveryOptionOperandAndVariable() {
        let text = HelpText.command(parser().syntax)
        for expected in [
            "usage: speechly hear FILE… [OPTION…]", "--json", "-c, --config FILE", "[SPEECHLY_CONFIG]",
            "--listen ADDR", "(may be repeated)", "-h, --help",
        ] {
            XCTAssertTrue(text.contains(expected), "\(expected) in:\n\(text)")
        }
        XCTAssertTrue(text.split(separator: "\n").allSatisfy { $0.count <= HelpText.width })
    }
}
