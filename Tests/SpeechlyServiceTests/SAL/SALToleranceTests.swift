import TestSupport
import XCTest

@testable import SpeechlyService

/// What is near to the configuration is understood, what is not stays without an intent.
final class SALToleranceTests: XCTestCase {
    private static let home = """
        devices = [light | lights | radio | fan | television | heating]
        rooms = [kitchen | bedroom | living room | bathroom | hallway](room)
        *turn_on [turn | switch] on the $devices(device) {in the $rooms}
        *turn_off [turn | switch] off the $devices(device) {in the $rooms}
        *set set the temperature to $SPEECHLY.SMALL_NUMBER(degrees) degrees {in the $rooms}
        *call call $SPEECHLY.PERSON_NAME(person) {on the phone}
        *buy i want to buy [1..20](amount) [apples | bananas | oranges](product)
        """

    private func repos() throws -> SALConfiguration {
        try SALCompiler.compile(bytes: Array(TestCases.data("speech/repos.sal")), file: "repos.sal")
    }

    private func home() throws -> SALConfiguration { try SALTest.compile(Self.home) }

    func testWordsWithoutMeaning() throws {
        let home = try home()
        for (text, expected) in [
            ("could you please turn on the radio", "*turn_on could you please turn on the [radio](device)"),
            ("um turn on the radio thanks", "*turn_on um turn on the [radio](device) thanks"),
            ("turn on radio", "*turn_on turn on [radio](device)"),
            (
                "turn on the radio please in the living room",
                "*turn_on turn on the [radio](device) please in the [living room](room)"
            ),
            ("please call amelia m earhart now", "*call please call [Amelia M Earhart](person) now"),
            (
                "turn on the light and then turn off the fan",
                "*turn_on turn on the [light](device) and then *turn_off turn off the [fan](device)"
            ),
        ] {
            XCTAssertEqual(
                SALTest.understood(home, text).lowercased(), expected.lowercased(), text)
        }
    }

    func testMisspeltWords() throws {
        let home = try home()
        for (text, expected) in [
            ("trun on the radio", "*turn_on trun on the [radio](device)"),
            ("turn on the lihgts", "*turn_on turn on the [lights](device)"),
            ("turn on the televsion", "*turn_on turn on the [television](device)"),
            ("turn on the radio in the kichen", "*turn_on turn on the [radio](device) in the [kitchen](room)"),
            ("i want to buy five bananass", "*buy i want to buy [five](amount) [bananas](product)"),
        ] { XCTAssertEqual(SALTest.understood(home, text), expected, text) }
    }

    func testAWordThatMeansNothingHere() throws {
        let home = try home()
        XCTAssertEqual(
            SALTest.understood(home, "turn on the old radio in the kitchen"),
            "*turn_on turn on the old [radio](device) in the [kitchen](room)")
        XCTAssertEqual(SALTest.understood(home, "turn on the old radio"), "*_ turn on the old radio")
    }

    func testWordsThatTurnTheMeaningRoundAreNotPassedOver() throws {
        let home = try home()
        for text in [
            "do not turn on the radio in the kitchen", "don't turn on the radio in the living room please",
            "never turn off the heating in the living room", "turn the radio in the kitchen",
            "call off the phone", "turn on nothing in the living room please",
        ] { XCTAssertEqual(home.understand(SALTest.words(text)).map(\.intent), [""], text) }
    }

    func testStrictConfigurationsTolerateNothing() throws {
        let templates = Self.home.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        let yaml = "enable_strict_nlu: true\ntemplates: |\n\(templates)\n"
        let strict = try SALCompiler.compile(yaml: Array(yaml.utf8), file: "config.yaml")
        XCTAssertEqual(strict.understand(SALTest.words("turn on radio")).map(\.intent), [""])
        XCTAssertEqual(strict.understand(SALTest.words("turn on the radio")).map(\.intent), ["turn_on"])
    }

    func testEditDistance() {
        for (a, b, distance) in [
            ("radio", "radio", 0), ("radio", "rdaio", 1), ("radio", "radios", 1), ("radio", "rado", 1),
            ("radio", "ratio", 1), ("radio", "patio", 2), ("television", "telvisoin", 2), ("radio", "lights", 3),
        ] {
            XCTAssertEqual(SALSpeller.distance(Array(a.utf8), Array(b.utf8), limit: 2), distance, "\(a) \(b)")
            XCTAssertEqual(SALSpeller.distance(Array(b.utf8), Array(a.utf8), limit: 2), distance, "\(a) \(b)")
        }
    }

    /// The threshold, measured: what is meant is understood, what is not is left alone.
    func testTheThresholdSeparatesCommandsFromTheRest() throws {
        let configurations = [try repos(), try home()]
        func accepted(_ texts: [String]) -> [String] {
            texts.filter { text in
                configurations.contains { !$0.understand(SALTest.words(text)).allSatisfy(\.intent.isEmpty) }
            }
        }
        let unrelated = accepted(Self.unrelated)
        let near = accepted(Self.nearMisses)
        let meant = accepted(Self.meant)
        XCTAssertLessThanOrEqual(unrelated.count * 50, Self.unrelated.count, "\(unrelated)")
        XCTAssertLessThanOrEqual(near.count * 10, Self.nearMisses.count, "\(near)")
        XCTAssertGreaterThanOrEqual(
            meant.count * 10, Self.meant.count * 9, "\(Set(Self.meant).subtracting(meant))")
        print(
            "tolerance: \(unrelated.count) of \(Self.unrelated.count) unrelated, \(near.count) of "
                + "\(Self.nearMisses.count) near misses, \(meant.count) of \(Self.meant.count) meant")
    }

    private static let meant = [
        "please show me all python repos", "show me all the python repos", "could you sort by stars please",
        "i would like to sort the results by stars", "sort by strs now please", "show only typescrpt repositories",
        "reset please", "okay reset", "show all go repositores", "sort results by stars", "um show go",
        "hey filter results by python language", "show me go", "order the repositories by folowers",
        "so show me python repos", "sort the resluts by name", "please remove all the filters",
        "turn on light please", "can you switch off the heating in the bathroom", "switch off heating in my bedroom",
        "set temperature to twenty degrees", "please set the temperature to twenty one degrees in kitchen",
        "well turn off the fan then", "turn on the lights in the livng room", "i want to buy two oranges please",
        "hello i want to buy ten aples", "okay call john smith", "call john smith on phone please",
        "turn on the radio in the kitchen right now", "please just turn the lights in the bedroom off",
    ]

    private static let nearMisses = [
        "reset my password", "sort the laundry", "show me the money", "filter the coffee", "order a pizza",
        "sort it out", "reset the router to factory settings", "show me your hands", "remove the dishes",
        "order the parts by monday", "sort by yourself", "show only the truth", "filter water for tea",
        "reset all my accounts", "show me a python snake", "sort the mail by hand", "order me some stars",
        "turn on the charm", "turn off the road at the church", "set the table for dinner", "set the alarm to seven",
        "call it a day", "turn around", "switch sides", "turn on me", "turn the page", "set the record straight",
        "call for help in the kitchen", "i want to buy a house", "i want to buy apples and oranges in bulk",
        "switch on your brain", "the radio is on", "the light in the kitchen is broken", "turn left at the light",
        "set the temperature record in july", "turn on a dime", "i want to be alone", "call your mother",
        "the fan is off", "buy one get one free",
    ]

    private static let unrelated = [
        "what is the weather like tomorrow", "how do i get to the station", "my cat sleeps all day long",
        "the meeting was moved to next week", "she sells sea shells by the shore", "what time is it",
        "tell me a joke about penguins", "i had eggs for breakfast today", "where did you put the keys",
        "the quick brown fox jumps over the lazy dog", "please remind me to water the plants",
        "play some music by the beatles", "who won the game last night", "it is raining again",
        "we should go hiking on saturday", "the train leaves at half past six", "can you help me with my homework",
        "i forgot my umbrella at the office", "this soup needs more salt", "how old is the president",
        "what is the capital of france", "they painted the house yellow", "my phone battery is dead",
        "read me the news", "add milk to the shopping list", "how far is the moon", "good morning everyone",
        "the concert was really loud", "do you like chocolate ice cream", "i will call you back later",
        "there are seven days in a week", "he runs faster than his brother", "open the window please",
        "what is on television tonight", "the kitchen smells wonderful", "she turned twenty last month",
        "light travels faster than sound", "the results were surprising", "stars shine at night",
        "my name is in the list", "the bathroom is upstairs", "apples grow on trees", "i bought a new fan yesterday",
        "the language of love", "we go to school by bus", "never mind", "thank you very much", "see you later",
        "i do not know what you mean", "let us talk about something else",
    ]
}
