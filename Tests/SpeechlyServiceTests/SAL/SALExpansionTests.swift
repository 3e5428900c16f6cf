import XCTest

@testable import SpeechlyService

/// What templates expand to: complete sets for small ones, counts for the others.
final class SALExpansionTests: XCTestCase {
    private func assertExpansions(
        _ source: String, _ expected: [String], file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let found = SALTest.expansions(try SALTest.compile(source))
        XCTAssertEqual(Set(found.keys), Set(expected), file: file, line: line)
        XCTAssertEqual(found.values.reduce(0, +), 1, accuracy: 1e-9, file: file, line: line)
        SALTest.assertEqual(found, SALOracle.expansions(source), file: file, line: line)
    }

    private func assertCount(
        _ source: String, _ count: Int, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let configuration = try SALTest.compile(source)
        let found = SALTest.expansions(configuration)
        XCTAssertEqual(found.count, count, file: file, line: line)
        XCTAssertEqual(configuration.expansionCount, Double(count), file: file, line: line)
        XCTAssertEqual(found.values.reduce(0, +), 1, accuracy: 1e-9, file: file, line: line)
        let sentences = SALTest.sentences(configuration.graph)
        XCTAssertEqual(sentences.values.reduce(0, +), 1, accuracy: 1e-9, file: file, line: line)
        XCTAssertEqual(
            Set(sentences.keys), Set(found.keys.map { SALTest.plain($0).lowercased() }), file: file, line: line)
    }

    func testPlainUtterances() throws {
        try assertExpansions("*greet hello\n*book [New York](city)", ["*greet hello", "*book [New York](city)"])
        try assertExpansions("*book[New York](city)", ["*book [New York](city)"])
        try assertExpansions("*x [a](b)[c](d)", ["*x [a](b) [c](d)"])
        try assertExpansions("*greet hello*bye goodbye", ["*greet hello *bye goodbye"])
        try assertExpansions("  \t*greet\thello  world \t", ["*greet hello world"])
        try assertExpansions("*book fly [ x ](city)", ["*book fly [x](city)"])
        try assertExpansions("*Gr-1_x y", ["*Gr-1_x y"])
        try assertExpansions("*book größe [Zürich](Stadt)", ["*book größe [Zürich](Stadt)"])
    }

    func testLists() throws {
        try assertExpansions(
            "*show_products [show | view | i want to see] products",
            ["*show_products show products", "*show_products view products", "*show_products i want to see products"])
        try assertExpansions("*a [b|c]", ["*a b", "*a c"])
        try assertExpansions("*a [[b | c] | [d]]", ["*a b", "*a c", "*a d"])
        try assertExpansions("*a [b | c](x)", ["*a [b](x)", "*a [c](x)"])
        try assertExpansions("*a [[b | c] d](x)", ["*a [b d](x)", "*a [c d](x)"])
        try assertCount(
            "*turn_on [turn|switch] on the [bedroom|living room|kitchen](room) [lights|ac|music player](device)", 18)
    }

    func testMultiLineLists() throws {
        let expected = ["*a b c", "*a d", "*a e"]
        try assertExpansions("x = [\n  b c\n  d\n\n  e\n]\n*a $x", expected)
        try assertExpansions("x = [b c\n  d\n e]\n*a $x", expected)
        try assertExpansions("x = [b c |\n  d\n | e ]\n*a $x", expected)
        try assertExpansions("*a [\n b c\n # not an item\n d\n e\n]", expected)
        try assertExpansions("*a [\r\n b c\r\n d\r\n e\r\n]\r\n", expected)
    }

    func testOptionals() throws {
        try assertExpansions(
            "*show_products {show} products {please}",
            [
                "*show_products products", "*show_products show products", "*show_products products please",
                "*show_products show products please",
            ])
        try assertExpansions(
            "number = [1..3]\n*t temperature {by $number(degrees) {degrees}}",
            ["*t temperature"]
                + ["one", "two", "three"].flatMap {
                    ["*t temperature by [\($0)](degrees)", "*t temperature by [\($0)](degrees) degrees"]
                })
        try assertCount(
            "*search show {[red | green | blue](color)} [pants | shirts | shoes](product)", 12)
        try assertExpansions("*a {1: b} {0: c} d", ["*a b d"])
    }

    func testVariables() throws {
        let categories = "categories = [jeans | shoes | shirts | accessories]\n"
        let expected = ["jeans", "shoes", "shirts", "accessories"].map { "*show_products show [\($0)](category)" }
        try assertExpansions(categories + "*show_products show $categories(category)", expected)
        try assertExpansions(categories + "*show_products show [$categories](category)", expected)
        try assertExpansions(
            "x = [hello | hi | greetings]\n*greet $x", ["*greet hello", "*greet hi", "*greet greetings"])
        try assertExpansions("city = Rome\n*go to $city.", ["*go to Rome"])
        try assertExpansions("brand = [nike](brand) \n*b $brand shoes", ["*b [nike](brand) shoes"])
        try assertExpansions("_a-1 = b\n*x $_a-1 c", ["*x b c"])
    }

    func testEachUseDrawsAnew() throws {
        try assertExpansions(
            "c = [a | b]\n*x $c $c", ["*x a a", "*x a b", "*x b a", "*x b b"])
        try assertCount(
            """
            class = [economy | first]
            city = [rome | oslo | bern]
            *book book a flight ![in $class(class) | from $city(from) to $city(to)]
            """, 2 * 2 * 3 * 3)
    }

    func testIntentsInVariables() throws {
        try assertExpansions(
            "all = [\n *buy buy it\n *sell sell it\n]\n$all", ["*buy buy it", "*sell sell it"])
        try assertExpansions(
            "order = *order {a} [tea](drink)\n$order {{and} $order}",
            [
                "*order [tea](drink)", "*order a [tea](drink)", "*order [tea](drink) *order [tea](drink)",
                "*order [tea](drink) *order a [tea](drink)", "*order a [tea](drink) *order [tea](drink)",
                "*order a [tea](drink) *order a [tea](drink)", "*order [tea](drink) and *order [tea](drink)",
                "*order [tea](drink) and *order a [tea](drink)", "*order a [tea](drink) and *order [tea](drink)",
                "*order a [tea](drink) and *order a [tea](drink)",
            ])
        try assertExpansions(
            "calculate = *calculate one\nappend = *append plus two\n$calculate {$append {$append {$append}}}",
            (0...3).map { "*calculate one" + String(repeating: " *append plus two", count: $0) })
    }

    func testEntitiesInDefinitions() throws {
        let source = """
            rooms = [kitchen|bedroom](location)
            list_of_rooms = [$rooms { {and} $rooms { {and} $rooms} }]
            *light $list_of_rooms lights
            """
        // One, two or three rooms; an "and" or none before each further one.
        try assertCount(source, 2 + 2 * 2 * 2 + 2 * 2 * 2 * 2 * 2)
        XCTAssertNotNil(
            SALTest.expansions(try SALTest.compile(source))[
                "*light [kitchen](location) and [bedroom](location) lights"])
    }

    func testMultiIntentUtterance() throws {
        try assertExpansions(
            "*turn_on turn on the [ac](device) and *increase raise by [1..2](degrees) {degrees}",
            ["one", "two"].flatMap { number in
                ["", " degrees"].map {
                    "*turn_on turn on the [ac](device) and *increase raise by [\(number)](degrees)\($0)"
                }
            })
    }

    func testPermutations() throws {
        try assertExpansions(
            "*a ![b | c | d]", ["*a b c d", "*a b d c", "*a c b d", "*a c d b", "*a d b c", "*a d c b"])
        try assertExpansions(
            "*book Book a ticket ![from [New York](from) | to [London](to) | for [two](num_passengers)]",
            [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)].map { order in
                let parts = ["from [New York](from)", "to [London](to)", "for [two](num_passengers)"]
                return "*book Book a ticket \(parts[order.0]) \(parts[order.1]) \(parts[order.2])"
            })
        try assertExpansions("*a ![b]", ["*a b"])
        try assertExpansions("*a ![![b | c] | d]", ["*a b c d", "*a c b d", "*a d b c", "*a d c b"])
        try assertExpansions("*a go ![\n {b}\n {c}\n]", ["*a go", "*a go b", "*a go c", "*a go b c", "*a go c b"])
    }

    func testCountsOfPublishedExamples() throws {
        try assertCount(
            """
            product = [a|b|c|d|e|f|g|h]
            color = [i|j|k|l|m|n|o|p|q]
            *search do you have $color(color) $product(product)
            """, 72)
        let rows = (1...8).map { row in "ABCDEFGH".map { "\($0)\(row)" }.joined(separator: "|") }
        try assertCount(
            """
            pieces = [pawn | rook | knight | bishop | queen | king]
            squares = [
            \(rows.joined(separator: "\n"))
            ]
            *move {$pieces(piece)} $squares(square)
            """, 448)
        try assertCount(
            """
            amount = [1..99]
            product = [a | b | c | d | e | f | g]
            *add_to_cart {add} $amount(product_amount) $product(product_name)
            """, 1386)
        try assertCount("*reset [reset | remove] {[the | all]} {filters} {to default}", 24)
        try assertCount(
            """
            languages = [go | typescript | python]
            results = [items | results | repos | repositories]
            *filter show {me} {[all | only]} $languages(language) {$results}
            """, 90)
        try assertCount(
            "x = [1: i want to know if | 3: do] you\n*faq $x [deliver | ship] overseas", 4)
        try assertExpansions(
            "*fill [{[my | the]} name {is} | i'm | i am] [ann](name)",
            ["name", "my name", "the name"].flatMap { ["*fill \($0) [ann](name)", "*fill \($0) is [ann](name)"] }
                + ["*fill i'm [ann](name)", "*fill i am [ann](name)"])
    }

    func testRangesAreSpoken() throws {
        let configuration = try SALTest.compile("number = [1..10]\n*set set $number(degrees)")
        XCTAssertEqual(
            Set(SALTest.expansions(configuration).keys),
            Set(
                ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
                    .map { "*set set [\($0)](degrees)" }))
        XCTAssertEqual(SALNumbers.spoken(0), ["zero"])
        XCTAssertEqual(SALNumbers.spoken(-15), ["minus", "fifteen"])
        XCTAssertEqual(SALNumbers.spoken(342).joined(separator: " "), "three hundred forty two")
        XCTAssertEqual(SALNumbers.spoken(10_000), ["ten", "thousand"])
        XCTAssertEqual(
            SALNumbers.spoken(2_019_080).joined(separator: " "), "two million nineteen thousand eighty")
        try assertExpansions("*a [ -1 .. 1 ]", ["*a minus one", "*a zero", "*a one"])
    }

    func testCommentsAndBlankLines() throws {
        try assertExpansions("\u{FEFF}# first\n\n   # second\n*a b\n#*c d\n*e f # g", ["*a b", "*e f # g"])
        XCTAssertEqual(SALTest.expansions(try SALTest.compile("# nothing")).count, 0)
    }
}
