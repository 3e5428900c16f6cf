import XCTest

@testable import SpeechlyService

/// The best derivation of given words.
final class SALUnderstandTests: XCTestCase {
    func testCaseAndPunctuationDoNotMatter() throws {
        let configuration = try SALTest.compile(
            "*Go take me to [New York | São Paulo](City), please!\n*_ what's up?\n*ask o’clock it's twenty-five")
        let words = SALTest.words("TAKE me TO “new YORK”, please.")
        XCTAssertEqual(
            configuration.understand(words),
            [
                SALSegment(
                    intent: "Go", words: 0..<6,
                    entities: [SALEntity(type: "City", value: "new YORK", start: 3, end: 5)])
            ])
        XCTAssertEqual(configuration.understand(["What’s", "up"]), [SALSegment(intent: "", words: 0..<2)])
        XCTAssertEqual(configuration.understand(["what's", "up", "?"]), [SALSegment(intent: "", words: 0..<3)])
        XCTAssertEqual(
            SALTest.understood(configuration, "take me to sa\u{303}o paulo please").prefix(18), "*Go take me to [sã")
        for text in ["o'clock it's twenty five", "O'Clock it’s twenty-five", "o'clock , it's — Twenty - Five !"] {
            let words = SALTest.words(text)
            XCTAssertEqual(configuration.understand(words), [SALSegment(intent: "ask", words: 0..<words.count)], text)
        }
        XCTAssertEqual(configuration.intents, ["Go", "ask"])
        XCTAssertTrue(configuration.vocabulary.isSuperset(of: ["o'clock", "twenty", "five", "what's", "são"]))
    }

    func testHyphenatedValue() throws {
        let configuration = try SALTest.compile("n = [25..25]\n*set set [one | twenty-five](n) on\n*get get $n(n)")
        for text in ["set twenty-five on", "get Twenty-Five"] {
            let segment = configuration.understand(SALTest.words(text))[0]
            XCTAssertEqual(segment.entities.map(\.value.localizedLowercase), ["twenty-five"], text)
            XCTAssertEqual(segment.entities.map(\.start), [1])
            XCTAssertEqual(segment.entities.map(\.end), [2])
        }
        XCTAssertEqual(
            configuration.understand(SALTest.words("set twenty five on"))[0].entities,
            [SALEntity(type: "n", value: "twenty five", start: 1, end: 3)])
        XCTAssertEqual(Set(configuration.sample(count: 40, seed: 1)).count, 3)
        XCTAssertTrue(configuration.sample(count: 40, seed: 1).contains("*set set [twenty-five](n) on"))
    }

    func testTheMoreProbableDerivationWins() throws {
        let weights = try SALTest.compile("*a [1: x | 9: y]\n*b [9: x | 1: y]")
        XCTAssertEqual(SALTest.understood(weights, "x"), "*b x")
        XCTAssertEqual(SALTest.understood(weights, "y"), "*a y")
        let entity = try SALTest.compile("*a [[x](u) | 3: [x](v)]")
        XCTAssertEqual(SALTest.understood(entity, "x"), "*a [x](v)")
        // Equal ones: the first line.
        XCTAssertEqual(SALTest.understood(try SALTest.compile("*a x\n*b x"), "x"), "*a x")
    }

    func testLinesInARow() throws {
        let configuration = try SALTest.compile("*a x {y}\n*b y z\n*c x y z w\n*d x and *e y")
        XCTAssertEqual(SALTest.understood(configuration, "x x y"), "*a x *a x y")
        XCTAssertEqual(SALTest.understood(configuration, "x y z"), "*a x *b y z")
        XCTAssertEqual(SALTest.understood(configuration, "x y y z"), "*a x y *b y z")
        XCTAssertEqual(SALTest.understood(configuration, "x y z w"), "*c x y z w")
        XCTAssertEqual(SALTest.understood(configuration, "x and y x"), "*d x and *e y *a x")
        XCTAssertEqual(SALTest.understood(configuration, "x and y y z"), "*d x and *e y *b y z")
        XCTAssertEqual(SALTest.understood(configuration, "y"), "*_ y")
        XCTAssertEqual(SALTest.understood(configuration, "x y z w w"), "*_ x y z w w")
        let segments = configuration.understand(SALTest.words(String(repeating: "x y ", count: 500)))
        XCTAssertEqual(segments.count, 500)
        XCTAssertEqual(segments.last?.words, 998..<1000)
    }

    func testOneLineIsPreferredToSeveral() throws {
        let configuration = try SALTest.compile("*a x\n*b y\n*c x y")
        XCTAssertEqual(SALTest.understood(configuration, "x y"), "*c x y")
    }

    func testOutsideTheConfiguration() throws {
        let configuration = try SALTest.compile("*a x y")
        XCTAssertEqual(configuration.understand([]), [])
        XCTAssertEqual(configuration.understand(["x", "q"]), [SALSegment(intent: "", words: 0..<2)])
        XCTAssertEqual(configuration.understand(["x"]), [SALSegment(intent: "", words: 0..<1)])
        XCTAssertEqual(configuration.understand(["?", ""]), [SALSegment(intent: "", words: 0..<2)])
        XCTAssertEqual(try SALTest.compile("").understand(["x"]), [SALSegment(intent: "", words: 0..<1)])
    }

    func testWordsInSharedLists() throws {
        // The list is long enough to be a rule of its own, called from several places at once.
        let configuration = try SALTest.compile(
            """
            c = [new york | york | new | a b c | a b | d | e | f | g]
            d = [$c and $c | $c]
            *x go $c(to)
            *y go $c(from) to $c(to)
            *z ![$d | from $c(from) | {$c(opt)}]
            """)
        XCTAssertTrue(configuration.network.rules.count > 1)
        XCTAssertEqual(SALTest.understood(configuration, "go new york"), "*x go [new york](to)")
        XCTAssertEqual(SALTest.understood(configuration, "go a b to a b c"), "*y go [a b](from) to [a b c](to)")
        XCTAssertEqual(
            SALTest.understood(configuration, "d and new york from york e"),
            "*z d and new york from [york](from) [e](opt)")
        XCTAssertEqual(
            SALTest.understood(configuration, "from new york new"), "*z from [new york](from) new")
        XCTAssertEqual(SALTest.understood(configuration, "go new york york"), "*_ go new york york")
        XCTAssertEqual(
            SALTest.annotated(configuration.understandPrefix(["go", "new"]), ["go", "new"]), "*x go [new](to)")
    }

    func testPrefix() throws {
        let configuration = try SALTest.compile(
            "c = [los angeles | new york | a | b | c | d | e | f]\n*x fly from $c(from) to $c(to)\n*y stay in $c(in)")
        func prefix(_ text: String) -> String {
            SALTest.annotated(configuration.understandPrefix(SALTest.words(text)), SALTest.words(text))
        }
        XCTAssertEqual(prefix("fly"), "*x fly")
        XCTAssertEqual(prefix("fly from new"), "*x fly from [new](from)")
        XCTAssertEqual(prefix("fly from new york"), "*x fly from [new york](from)")
        XCTAssertEqual(prefix("fly from new york to"), "*x fly from [new york](from) to")
        XCTAssertEqual(prefix("fly from a to los"), "*x fly from [a](from) to [los](to)")
        XCTAssertEqual(prefix("fly from a to b stay"), "*x fly from [a](from) to [b](to) *y stay")
        XCTAssertEqual(prefix("stay in los angeles"), "*y stay in [los angeles](in)")
        XCTAssertEqual(prefix("go"), "*_ go")
    }

    func testEmptyEntitiesAndIntentsWithoutWordsVanish() throws {
        let configuration = try SALTest.compile("*a go [{x}](e) now\n*b {y} *c z")
        XCTAssertEqual(SALTest.understood(configuration, "go now"), "*a go now")
        XCTAssertEqual(SALTest.understood(configuration, "go x now"), "*a go [x](e) now")
        XCTAssertEqual(SALTest.understood(configuration, "z"), "*c z")
        XCTAssertEqual(SALTest.understood(configuration, "y z"), "*b y *c z")
    }

    func testManyThreadsUseOneConfiguration() async throws {
        let configuration = try SALTest.compile("c = [a | b | c]\n*x go $c(v) {$c(w)}")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        configuration.understand(["go", "b", "c"])[0].entities.map(\.value) == ["b", "c"]
                    }
                }
            }
            for await right in group { XCTAssertTrue(right) }
        }
    }
}
