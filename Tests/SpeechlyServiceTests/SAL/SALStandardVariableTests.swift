import XCTest

@testable import SpeechlyService

/// `$SPEECHLY.…`: what is spoken is understood, and its type makes a value of it.
final class SALStandardVariableTests: XCTestCase {
    private static func configuration(_ variable: String, _ type: SALDataType) throws -> SALConfiguration {
        let yaml = """
            entities:
            - {name: value, type: \(type.rawValue)}
            templates: |
              *take take $SPEECHLY.\(variable)(value) {now}
              *other something else
            """
        return try SALCompiler.compile(yaml: Array(yaml.utf8), file: "config.yaml")
    }

    /// Documented examples, and forms that people use.
    private static let examples: [(variable: String, type: SALDataType, spoken: [String])] = [
        (
            "DATE", .dateFuture,
            [
                "tomorrow", "next friday", "january fifth twenty twenty",
                "second of november two thousand and twenty one",
                "the day after tomorrow", "in three weeks", "a week from monday", "the twenty second of may",
                "december thirty first nineteen ninety nine", "monday", "last year", "five days ago", "the third",
            ]
        ),
        (
            "TIME", .time,
            [
                "three thirty pm", "quarter past eleven", "fifteen twenty five", "five minutes after midnight",
                "half past two", "twenty to four in the afternoon", "eight o'clock", "six oh five a.m.", "noon",
                "twenty past nine pm", "seven", "twenty three hundred", "quarter past two in the morning",
            ]
        ),
        (
            "NUMBER", .number,
            [
                "minus zero point zero five", "eleven thousand", "seventeen point five", "three hundred thousand",
                "three quarters", "twenty-eight", "two thousand and twenty one", "one million two hundred thousand",
                "nine hundred and ninety nine", "a hundred", "two and a half", "zero",
            ]
        ),
        ("CARDINAL_NUMBER", .number, ["minus three", "eleven hundred eleven", "forty two", "six thousand"]),
        ("SMALL_NUMBER", .number, ["seventeen point five", "minus five", "one hundred and ninety nine"]),
        ("SMALL_CARDINAL_NUMBER", .number, ["seventeen", "minus five", "ninety-five"]),
        ("FOUR_DIGIT_NUMBER", .number, ["five six four nine", "zero oh one two"]),
        ("POSITIVE_NUMBER", .number, ["eleven hundred eleven", "five million five hundred", "one"]),
        ("NEGATIVE_NUMBER", .number, ["minus five", "negative twenty-four"]),
        ("SMALL_ORDINAL_NUMBER", .number, ["first", "thirty-first", "twenty second", "twelfth"]),
        ("IDENTIFIER_SHORT", .identifier, ["zero zero seven x", "alpha dash one", "two"]),
        ("IDENTIFIER_MEDIUM", .identifier, ["a b one two dash nine x", "delta foxtrot five seven dash two"]),
        ("IDENTIFIER_LONG", .identifier, ["one two seven dot zero dot zero dot one slash x"]),
        ("IDENTIFIER", .identifier, ["two seven", "one two seven dot zero dot zero dot one slash x"]),
        (
            "PHONE_NUMBER", .phone,
            [
                "plus three five eight four zero one two three four five six", "five five five one two three four",
                "plus four four two oh seven seven three oh one two three four", "double five five one two three",
            ]
        ),
        (
            "PERSON_NAME", .personName,
            ["amelia m earhart", "c o n a n o'brien", "john smith", "zaphod beeblebrox", "anna", "anna zyx"]
        ),
        (
            "EMAIL_ADDRESS", .email,
            [
                "john dot smith at company dot com", "a n t t i at speechly dot com",
                "info at wonderland dot org", "mary at gmail dot com",
            ]
        ),
        (
            "WEB_ADDRESS", .website,
            [
                "w w w dot speechly dot com", "h t t p s colon slash slash docs dot speechly dot com",
                "example dot org slash help", "wonderland dot net",
            ]
        ),
        (
            "STREET_ADDRESS", .streetAddress,
            [
                "one twenty three michigan avenue", "sixty four east twenty second street",
                "one twenty three imaginary road", "forty seven east one hundred and tenth street",
                "five hundred main street",
            ]
        ),
    ]

    func testSpokenFormsAreUnderstoodAndConverted() throws {
        XCTAssertEqual(
            Set(Self.examples.map { "SPEECHLY." + $0.variable }), Set(SALStandardVariables.names), "one is not tested")
        for (variable, type, spoken) in Self.examples {
            let configuration = try Self.configuration(variable, type)
            XCTAssertEqual(configuration.diagnostics, [], variable)
            for text in spoken {
                for tail in ["", " now"] {
                    let words = SALTest.words("take " + text + tail)
                    let segment = configuration.understand(words)[0]
                    XCTAssertEqual(segment.intent, "take", "\(variable) '\(text)'")
                    let compared = SALTest.words(text).flatMap(SALWords.normalized)
                    let value = try XCTUnwrap(
                        SALValueReader.value(type, words: compared, at: nil), "\(variable) '\(text)'")
                    XCTAssertEqual(
                        segment.entities,
                        [SALEntity(type: "value", value: value, start: 1, end: words.count - (tail.isEmpty ? 0 : 1))],
                        "\(variable) '\(text)'")
                }
            }
        }
    }

    /// What the grammar says, its type can read: every sample gets a value that is not the words.
    func testSamplesAreUnderstoodAndConverted() throws {
        for (variable, type, _) in Self.examples {
            let configuration = try Self.configuration(variable, type)
            var converted = 0
            for sample in configuration.sample(count: 100, seed: 5) where sample.hasPrefix("*take") {
                let words = SALTest.words(SALTest.plain(sample))
                let segment = configuration.understand(words)[0]
                XCTAssertEqual(segment.intent, "take", sample)
                let entity = try XCTUnwrap(segment.entities.first, sample)
                let spoken = Array(words[entity.start..<entity.end]).flatMap(SALWords.normalized)
                if SALValueReader.value(type, words: spoken, at: nil) != nil {
                    converted += 1
                } else {
                    XCTAssertEqual(entity.value, words[entity.start..<entity.end].joined(separator: " "))
                    // A day that is not in the calendar, and a sign without anything around it.
                    XCTAssertTrue(type == .dateFuture, "\(variable): \(sample)")
                }
            }
            XCTAssertGreaterThan(converted, 30, variable)
        }
    }

    func testUnknownValuesStayAsSpoken() throws {
        let yaml = """
            entities:
            - {name: n, type: number}
            - {name: d, type: date}
            templates: |
              *take take [five | Plenty](n) [today | some day](d)
            """
        let configuration = try SALCompiler.compile(yaml: Array(yaml.utf8), file: "config.yaml")
        let entities = configuration.understand(["take", "PLENTY,", "some", "day"])[0].entities
        XCTAssertEqual(entities.map(\.value), ["PLENTY", "some day"])
        XCTAssertEqual(configuration.understand(["take", "5", "today"])[0].entities.map(\.value).first, "5")
    }

    func testDigitsAreUnderstoodAsSpoken() throws {
        let configuration = try Self.configuration("NUMBER", .number)
        for (text, value) in [("25", "25"), ("1500", "1500"), ("minus 3", "-3")] {
            XCTAssertEqual(
                configuration.understand(SALTest.words("take \(text) now"))[0].entities.map(\.value), [value], text)
        }
    }

    func testTheRecognizerHearsOnlyListedWords() throws {
        let configuration = try Self.configuration("PERSON_NAME", .personName)
        XCTAssertTrue(configuration.vocabulary.contains("amelia"))
        let graph = configuration.graph
        XCTAssertTrue(graph.isExact)
        var sums: [Int: Double] = [:]
        for arc in graph.arcs { sums[arc.from, default: 0] += arc.probability }
        for (state, sum) in sums { XCTAssertEqual(sum, 1, accuracy: 1e-6, "\(state)") }
        XCTAssertEqual(
            configuration.understand(SALTest.words("take the last train"))[0].intent, "", "'the' is no name")
    }

    func testOnlyWhatIsUsedIsCompiled() throws {
        XCTAssertNil(SALStandardVariables.text(for: Array("*a b $SPEECHLY. $x".utf8)))
        let text = try XCTUnwrap(SALStandardVariables.text(for: Array("*a $SPEECHLY.SMALL_NUMBER".utf8)))
        XCTAssertFalse(text.contains("january"))
        XCTAssertEqual(
            try SALTest.compile("*a $SPEECHLY.FOUR_DIGIT_NUMBER").expansionCount, 11 * 11 * 11 * 11)
    }
}
