import XCTest

@testable import SpeechlyService

/// Parts written without a blank between them.
final class SALJoiningTests: XCTestCase {
    private func assertExpansions(
        _ source: String, _ expected: [String: Double], file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let configuration = try SALTest.compile(source)
        SALTest.assertEqual(SALTest.expansions(configuration), expected, file: file, line: line)
        for text in expected.keys {
            XCTAssertEqual(
                SALTest.understood(configuration, SALTest.plain(text)), text, file: file, line: line)
        }
    }

    func testOneWord() throws {
        try assertExpansions("*a {un}lock it", ["*a unlock it": 0.5, "*a lock it": 0.5])
        try assertExpansions("*a the [shoe | hat]s", ["*a the shoes": 0.5, "*a the hats": 0.5])
        try assertExpansions("*a [x {y}]z", ["*a x yz": 0.5, "*a xz": 0.5])
        try assertExpansions("c = [a | b]\n*i $c$c", ["*i aa": 0.25, "*i ab": 0.25, "*i ba": 0.25, "*i bb": 0.25])
        try assertExpansions("*i [3: a | b]{0.1: c}", ["*i a": 0.675, "*i ac": 0.075, "*i b": 0.225, "*i bc": 0.025])
    }

    func testTheWholeWordBelongsToTheEntity() throws {
        try assertExpansions("*a buy [shoe](item)s now", ["*a buy [shoes](item) now": 1])
        try assertExpansions(
            "name = [ann | bo]\n*a $name(who)'s car",
            [
                "*a [ann's](who) car": 0.5, "*a [bo's](who) car": 0.5,
            ])
        try assertExpansions("*a pre[fix it](what)", ["*a [prefix it](what)": 1])
    }

    func testPunctuationDoesNotJoin() throws {
        let configuration = try SALTest.compile("c = [rome | oslo]\n*go to $c(city), $c(city).")
        XCTAssertEqual(SALTest.understood(configuration, "to rome oslo"), "*go to [rome](city) [oslo](city)")
        XCTAssertEqual(configuration.diagnostics, [])
    }

    func testANoteTellsOfIt() throws {
        XCTAssertEqual(SALTest.places("*a the [shoe | hat]s"), ["1:20:NOTE"])
    }

    func testTooManyCombinationsAreAnError() throws {
        XCTAssertEqual(SALTest.places("n = [1..2000]\n*a $n$n"), ["2:4:ERROR", "2:6:NOTE"])
    }
}
