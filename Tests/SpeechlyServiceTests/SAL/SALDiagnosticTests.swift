import XCTest

@testable import SpeechlyService

/// Messages: level, place, text; all of a run at once.
final class SALDiagnosticTests: XCTestCase {
    /// Checks the messages of a source: `line:column:LEVEL` and a part of the text.
    private func assertMessages(
        _ source: String, _ expected: [(place: String, text: String)], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let found = SALTest.diagnostics(source)
        XCTAssertEqual(SALTest.places(source), expected.map(\.place), "\(found)", file: file, line: line)
        for (found, expected) in zip(found, expected) {
            XCTAssertTrue(found.message.contains(expected.text), found.message, file: file, line: line)
        }
    }

    func testForm() throws {
        XCTAssertThrowsError(try SALCompiler.compile("*ok hello\n\t*go to $nosuch now\n[", file: "dir/my.sal")) {
            error in
            guard let error = error as? SALError, error.errors.count == 2 else { return XCTFail("\(error)") }
            let first = error.errors[0]
            XCTAssertEqual(first.description, "dir/my.sal:2:9:ERROR:variable '$nosuch' is not defined")
            XCTAssertEqual(
                first.detailedDescription,
                """
                dir/my.sal:2:9:ERROR:variable '$nosuch' is not defined
                    \t*go to $nosuch now
                    \t       ^
                    hint: define it on a line above: nosuch = [ … ]
                """)
            XCTAssertEqual(
                error.description,
                "dir/my.sal:2:9:ERROR:variable '$nosuch' is not defined\ndir/my.sal:3:1:ERROR:'[' is not closed")
        }
    }

    func testColumnsAreCharacters() {
        assertMessages("*a größe 👩‍👩‍👧 $x", [("1:12:ERROR", "not defined")])
        assertMessages("\u{FEFF}*a $x\r\n*b $y\r\n", [("1:4:ERROR", "'$x'"), ("2:4:ERROR", "'$y'")])
    }

    func testBrackets() {
        assertMessages("*a [b | c", [("1:4:ERROR", "'[' is not closed")])
        assertMessages("*a {b", [("1:4:ERROR", "'{' is not closed")])
        assertMessages("*a [b](c", [("1:7:ERROR", "'(' is not closed")])
        assertMessages("*a b] c", [("1:5:ERROR", "']' without '['")])
        assertMessages("*a b} c", [("1:5:ERROR", "'}' without '{'")])
        assertMessages("*a b) c", [("1:5:ERROR", "')' without '('")])
        assertMessages("*a fly (city)", [("1:8:ERROR", "'(' without a value")])
        assertMessages("*a fly [x] (city)", [("1:12:ERROR", "'(' without a value")])
        assertMessages("*a [New York(city)", [("1:4:ERROR", "'['"), ("1:13:ERROR", "'('")])
        assertMessages("*a d {b | c}", [("1:9:ERROR", "'|' outside of a list")])
        assertMessages("*a b | c", [("1:6:ERROR", "'|' outside of a list")])
        assertMessages("*a [b {c] d}", [("1:7:ERROR", "'{'"), ("1:12:ERROR", "'}'")])
        assertMessages("*a {b [c} d]", [("1:7:ERROR", "'['"), ("1:12:ERROR", "']'")])
        assertMessages("*a [b {c\n d} ]", [("1:7:ERROR", "'{'"), ("2:3:ERROR", "'}'")])
    }

    func testAForgottenBracketDoesNotSwallowTheRest() {
        assertMessages(
            "x = [\n a\n b\ny = [c]\n*i $x $y $z",
            [("1:5:ERROR", "'[' is not closed"), ("5:10:ERROR", "'$z' is not defined")])
    }

    func testNames() {
        assertMessages("*a.b c", [("1:2:ERROR", "bad intent name 'a.b'")])
        assertMessages("* greeting hello", [("1:2:ERROR", "intent name missing")])
        assertMessages("**book x", [("1:2:ERROR", "intent name missing")])
        assertMessages("*bøok x", [("1:2:ERROR", "bad intent name 'bøok'")])
        assertMessages("*a [x]()", [("1:8:ERROR", "entity name missing")])
        assertMessages("*a [x](b c)", [("1:7:ERROR", "'(' is not closed")])
        assertMessages("*a [x](b.c)", [("1:8:ERROR", "bad entity name 'b.c'")])
        assertMessages("*a [x]( city )", [])
        assertMessages("1x = b\n*a c", [("1:1:ERROR", "bad variable name '1x'")])
        assertMessages("a.b = b\n*a c", [("1:1:ERROR", "bad variable name 'a.b'")])
        assertMessages("*a $ b", [("1:4:ERROR", "'$' without a name")])
    }

    func testUtterancesBeginWithAnIntent() {
        assertMessages("hello", [("1:1:ERROR", "does not begin with an intent")])
        assertMessages("[New York | London]", [("1:1:ERROR", "does not begin with an intent")])
        assertMessages(
            "{can i have} a [large](size) [coffee](product)", [("1:1:ERROR", "does not begin with an intent")])
        assertMessages("x = [\n buy it\n sell it\n]\n$x", [("5:1:ERROR", "does not begin with an intent")])
        assertMessages("[a](b) *x c", [("1:1:ERROR", "words before the first intent")])
        assertMessages("  [*a b | c]", [("1:3:ERROR", "words before the first intent")])
        assertMessages("{*a b}", [("1:1:ERROR", "are empty")])
        assertMessages("{so} *a b", [("1:1:ERROR", "words before the first intent")])
        XCTAssertEqual(SALTest.diagnostics("// comment")[0].hint, "a comment begins with '#'")
    }

    func testIntentsHaveWords() {
        assertMessages("*greeting", [("1:1:ERROR", "an intent has no words")])
        assertMessages("*a *b c", [("1:1:ERROR", "an intent has no words")])
        assertMessages("*book two*b", [("1:10:ERROR", "an intent has no words")])
        assertMessages("*a {b}", [("1:1:WARNING", "no words in some")])
        assertMessages("*a {b} *c d", [("1:1:WARNING", "no words in some")])
        assertMessages("x = [*a | *b c]\n$x\n$x d", [("2:1:WARNING", "no words in some")])
        assertMessages("x = [*a | *b]\n$x d", [])
    }

    func testVariables() {
        assertMessages("*greet $x\nx = [a]", [("1:8:ERROR", "used before its definition")])
        assertMessages("a = $b\nb = $a", [("1:5:ERROR", "used before its definition")])
        assertMessages("p = [\n jeans\n $p\n]\n*a $p", [("3:2:ERROR", "uses itself")])
        assertMessages("x = $y\ny = $x\n*a $y", [("1:5:ERROR", "before its definition")])
        assertMessages("*a $nosuch", [("1:4:ERROR", "not defined")])
        assertMessages("x = a\nx = b\n*a $x", [("2:1:ERROR", "defined again")])
        assertMessages("x = a\n*a b", [("1:1:NOTE", "'x' is not used")])
        assertMessages("x =\n*a $x", [("1:1:ERROR", "nothing behind 'x ='")])
        assertMessages("*a $SPEECHLY.DATES", [("1:4:ERROR", "there is no standard variable '$SPEECHLY.DATES'")])
        assertMessages("*a $SPEECHLY.digit", [("1:4:ERROR", "there is no standard variable")])
        assertMessages("SPEECHLY.DATE = b\n*a b", [("1:1:ERROR", "bad variable name 'SPEECHLY.DATE'")])
        assertMessages("x = [a\n*a $x", [("1:5:ERROR", "'[' is not closed")])
    }

    func testEntities() {
        assertMessages("*a [from [b](x)](y)", [("1:4:ERROR", "an entity within the value of entity 'y'")])
        assertMessages("v = [b](x)\n*a $v(y)", [("2:4:ERROR", "an entity within")])
        assertMessages("v = *b c\n*a $v(y)", [("2:4:ERROR", "an intent within")])
        assertMessages("*a ![b | c](x)", [("1:4:ERROR", "permutation cannot be an entity")])
        assertMessages("*a {b}(x) c", [("1:4:ERROR", "optional cannot be an entity")])
        assertMessages("*a c [](x)", [("1:6:WARNING", "entity 'x' without a value")])
        assertMessages("*a c [{b}](x)", [("1:6:WARNING", "value of entity 'x' can be empty")])
    }

    func testEmptyParts() {
        assertMessages("*a c []", [("1:6:WARNING", "empty list")])
        assertMessages("*a c {}", [("1:6:WARNING", "empty optional")])
        assertMessages("*a c ![ ]", [("1:6:WARNING", "empty permutation")])
        assertMessages("*a [b | | c]", [("1:9:WARNING", "empty item")])
        assertMessages("*a [| b | c]", [("1:5:WARNING", "empty item")])
        assertMessages("*a [b | c |]", [("1:12:WARNING", "empty item")])
        assertMessages("*a [b\n|\n\n c |\n d]", [])
        assertMessages("*a [3: | c]", [("1:5:WARNING", "weight without an item")])
    }

    func testWeights() {
        assertMessages("*a [-1: b | c]", [("1:5:ERROR", "negative weight")])
        assertMessages("*a [1.2.3: b | c]", [("1:5:ERROR", "not a number")])
        assertMessages("*a [.5: b | c]", [("1:5:ERROR", "not a number")])
        assertMessages("*a [0: b | 0: c]", [("1:4:ERROR", "all weights")])
        assertMessages("*a b {1.5: c}", [("1:7:ERROR", "above 1")])
        assertMessages("*a b {-0.5: c}", [("1:7:ERROR", "negative weight")])
        assertMessages("*a ![2: b | c]", [("1:6:ERROR", "weight on an item of a permutation")])
        assertMessages("*a [9999999999: b | c]", [("1:5:ERROR", "weight above")])
    }

    func testRanges() {
        assertMessages("*a [5..1]", [("1:5:ERROR", "backwards")])
        assertMessages("*a [1..200000]", [("1:5:ERROR", "too long")])
        assertMessages("*a [1..99999999999999999999]", [("1:5:ERROR", "out of bounds")])
        assertMessages("*a [-9223372036854775808..1]", [("1:5:ERROR", "out of bounds")])
    }

    func testLimits() {
        let items = (0..<13).map { "x\(Character(UnicodeScalar(97 + UInt8($0))))" }
        assertMessages("*a ![\(items.joined(separator: "|"))]", [("1:4:ERROR", "permutation of 13 items")])
        assertMessages(
            "*a ![\(items.prefix(9).joined(separator: "|"))]", [("1:4:WARNING", "permutation of 9 items")])
        let deep = String(repeating: "[", count: 70) + "b" + String(repeating: "]", count: 70)
        assertMessages("*a \(deep)\n*c $d", [("1:68:ERROR", "nested deeper than 64"), ("2:4:ERROR", "'$d'")])
    }

    func testRemarks() {
        assertMessages("*a give me 25", [("1:12:NOTE", "digits in '25'")])
        assertMessages("*a [b](c) and d", [])
    }

    func testAllErrorsOfARun() {
        assertMessages(
            "*a $x\nhello\n*b [c\nv = [d]\n*e $v) {f\n*g [1..0]",
            [
                ("1:4:ERROR", "not defined"), ("2:1:ERROR", "begin with an intent"), ("3:4:ERROR", "'['"),
                ("5:6:ERROR", "')'"), ("5:8:ERROR", "'{'"), ("6:5:ERROR", "backwards"),
            ])
        XCTAssertEqual(SALTest.diagnostics(String(repeating: "hello\n", count: 5000)).count, 100)
    }

    func testNotesDoNotCrowdOutWarnings() {
        let found = SALTest.diagnostics(String(repeating: "*a b 1\n", count: 300) + "*c {d}\n")
        XCTAssertEqual(found.count { $0.level == .note }, 100)
        XCTAssertEqual(found.last?.level, .warning)
    }

    func testBytesThatAreNotText() {
        XCTAssertThrowsError(try SALCompiler.compile(bytes: Array("*a b\n*c ".utf8) + [0xFF, 0x41], file: "f")) {
            XCTAssertEqual("\($0)", "f:2:4:ERROR:not UTF-8 text")
        }
        XCTAssertNoThrow(try SALCompiler.compile(bytes: [], file: "f"))
    }

    func testALongLineIsShownInPart() {
        let padding = String(repeating: "x ", count: 5000)
        let found = SALTest.diagnostics("*a \(padding)$nosuch \(padding)")
        XCTAssertEqual(found.map(\.column), [10_004])
        XCTAssertLessThan(found[0].sourceLine.count, 130)
        XCTAssertEqual(Array(found[0].sourceLine)[found[0].caretOffset], "$")
    }
}
