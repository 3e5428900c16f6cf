import XCTest

@testable import SpeechlyService

/// Rows of the tables of known examples that no other test has. The numbers are those of the tables.
final class SALTableTests: XCTestCase {
    /// Plain utterances: what the reference parser accepts, as one expansion.
    func testUtterancesThatAreAccepted() throws {
        for (row, source, expected) in [
            (
                1, "*change change the [kitchen door    knobs](object)! *_ and *remove remove  the [table](object)",
                "*change change the [kitchen door knobs](object) *_ and *remove remove the [table](object)"
            ),
            (
                2,
                "*move change the [desk](object) position [one meter left](direction) *_ and *add add [windows](object)",
                "*move change the [desk](object) position [one meter left](direction) *_ and *add add [windows](object)"
            ),
            (3, "*greeting hello", "*greeting hello"),
            (5, "  *greet hello", "*greet hello"),
            (6, "\t*greet\thello\tworld", "*greet hello world"),
            (7, "*greet hello*bye goodbye", "*greet hello *bye goodbye"),
            (8, "*book[New York](city)", "*book [New York](city)"),
            (9, "*book fly [ x ](city)", "*book fly [x](city)"),
            (12, "*x [a](b)[c](d)", "*x [a](b) [c](d)"),
            (14, "*book größe [Zürich](stadt)", "*book größe [Zürich](stadt)"),
            (16, "*x hello # comment", "*x hello comment"),
        ] {
            let found = SALTest.expansions(try SALTest.compile(source))
            XCTAssertEqual(
                Set(found.keys.map { $0.replacing("!", with: "").replacing("# ", with: "") }), [expected], "\(row)")
        }
    }

    /// In a template these are notation: a list, and a variable that has to be defined.
    func testNotationThatIsPlainTextInAnUtterance() throws {
        XCTAssertEqual(
            Set(SALTest.expansions(try SALTest.compile("*book fly [a | b](city)")).keys),
            ["*book fly [a](city)", "*book fly [b](city)"])
        XCTAssertEqual(SALTest.places("*book fly $var"), ["1:11:ERROR"])
        XCTAssertEqual(
            Set(SALTest.expansions(try SALTest.compile("*x [blue|Blue](color)")).keys),
            ["*x [blue](color)", "*x [Blue](color)"])
    }

    /// Plain utterances the reference parser refuses. It names columns from 0 and the first character it did
    /// not expect; here a message points at what has to be changed.
    func testUtterancesThatAreRefused() {
        for (row, source, expected) in [
            (15, "*a.b,c x", ["1:2:ERROR"]), (17, ".change change the [knobs](object)! *_ and", ["1:1:ERROR"]),
            (18, "hello", ["1:1:ERROR"]), (19, "", []), (20, "   ", []), (21, "*greeting", ["1:1:ERROR"]),
            (4, "*greeting ", ["1:1:ERROR"]), (22, "* greeting hello", ["1:2:ERROR"]), (23, "**book x", ["1:2:ERROR"]),
            (24, "*book 2*3", ["1:7:NOTE", "1:8:ERROR"]), (25, "*book fly [New York] (city)", ["1:22:ERROR"]),
            (26, "*book fly [New York](city", ["1:21:ERROR"]),
            (27, "*book fly [New York(city)", ["1:11:ERROR", "1:20:ERROR"]),
            (28, "*book fly New York](city)", ["1:19:ERROR", "1:20:ERROR"]), (29, "*book fly (city)", ["1:11:ERROR"]),
            (30, "*book fly [](city)", ["1:11:WARNING"]), (31, "*book fly [x]()", ["1:15:ERROR"]),
            (32, "*book fly [x]( city )", []), (33, "*book fly [x](a b)", ["1:14:ERROR"]),
            (34, "*book fly [[a](b) c](d)", ["1:11:ERROR"]), (35, "[a](b) *x c", ["1:1:ERROR"]),
            (36, "# comment", []), (37, "x = [a | b]", ["1:1:NOTE"]),
            (38, #"*x hello\*world"#, ["1:10:ERROR"]), (39, "*book fly {maybe} $var(city)", ["1:19:ERROR"]),
            (40, "*x ![a | b]", []),
        ] as [(Int, String, [String])] {
            XCTAssertEqual(SALTest.places(source), expected, "\(row): \(SALTest.diagnostics(source))")
        }
    }

    func testTemplates() throws {
        // 45
        let phrases = """
            start_phrase = [turn | switch]
            devices = [lights | ac | music player]
            *turn_on {can you} {please} $start_phrase on the $devices(device)
            """
        XCTAssertEqual(SALTest.expansions(try SALTest.compile(phrases)).count, 4 * 2 * 3)
        // 63
        let select = """
            colors = [red | green]
            brands = [acme | apex | zenith]
            *select $colors(color) {[sneakers | shoes] by} $brands(brand)
            """
        let found = SALTest.expansions(try SALTest.compile(select))
        XCTAssertEqual(found.count, 2 * 3 * 3)
        XCTAssertEqual(found["*select [red](color) shoes by [apex](brand)"] ?? 0, 0.5 * 0.5 * 0.5 / 3, accuracy: 1e-9)
        // 66
        let fashion = """
            color = [red | blue](color)
            sort = by price
            first = ![{0.33: $color {[2: color | 1: colored]}} | {0.2: $sort} | shoes]
            *filter show $first
            """
        let orders = SALTest.expansions(try SALTest.compile(fashion))
        XCTAssertEqual(
            orders["*filter show [red](color) color by price shoes"] ?? 0, 0.33 * 0.2 / 6 * 0.5 * 0.5 * 2 / 3,
            accuracy: 1e-9)
        XCTAssertEqual(orders["*filter show shoes"] ?? 0, 0.67 * 0.8, accuracy: 1e-9)
    }
}
