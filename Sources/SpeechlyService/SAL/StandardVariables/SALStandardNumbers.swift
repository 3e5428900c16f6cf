/// Spoken numbers, and what is spoken character by character.
enum SALStandardNumbers {
    static let definitions: [(name: String, value: String)] = [
        ("one_to_nine", "[one | two | three | four | five | six | seven | eight | nine]"),
        (
            "teen",
            "[ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen]"
        ),
        ("tens", "[twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety]"),
        (
            "below_hundred",
            "[9: $SPEECHLY.one_to_nine | 10: $SPEECHLY.teen | 40: $SPEECHLY.tens {0.9: $SPEECHLY.one_to_nine}]"
        ),
        ("hundreds", "[9: $SPEECHLY.one_to_nine | a] hundred {{and} $SPEECHLY.below_hundred}"),
        ("below_thousand", "[$SPEECHLY.below_hundred | $SPEECHLY.hundreds]"),
        (
            "thousands",
            "[9: $SPEECHLY.below_thousand | a] thousand {{0.3: and} $SPEECHLY.below_thousand}"
        ),
        (
            "large",
            "[9: $SPEECHLY.below_thousand | a] [3: million | billion] "
                + "{0.4: {0.3: and} [$SPEECHLY.below_thousand | $SPEECHLY.thousands]}"
        ),
        (
            "whole",
            "[10: $SPEECHLY.below_hundred | 4: $SPEECHLY.hundreds "
                + "| 0.5: $SPEECHLY.teen hundred {{and} $SPEECHLY.below_hundred} "
                + "| 2: $SPEECHLY.thousands | $SPEECHLY.large]"
        ),
        ("minus", "[3: minus | negative]"),
        ("digit", "[0.7: zero | 0.3: oh | 9: $SPEECHLY.one_to_nine]"),
        ("decimals", "point $SPEECHLY.digit {0.4: $SPEECHLY.digit {0.4: $SPEECHLY.digit {$SPEECHLY.digit}}}"),
        (
            "fraction",
            "[{[a | one]} half | [a | one] [third | quarter | fifth] | two thirds | three quarters "
                + "| $SPEECHLY.below_hundred and a [half | quarter]]"
        ),
        (
            "NUMBER",
            "[20: {0.1: $SPEECHLY.minus} [zero | 20: $SPEECHLY.whole] {0.2: $SPEECHLY.decimals} "
                + "| {0.1: $SPEECHLY.minus} $SPEECHLY.decimals | $SPEECHLY.fraction]"
        ),
        ("CARDINAL_NUMBER", "{0.1: $SPEECHLY.minus} [zero | 20: $SPEECHLY.whole]"),
        (
            "small",
            "[zero | 20: $SPEECHLY.below_hundred | 2: [one | a] hundred {{and} $SPEECHLY.below_hundred}]"
        ),
        ("SMALL_NUMBER", "{0.1: $SPEECHLY.minus} $SPEECHLY.small {0.2: $SPEECHLY.decimals}"),
        ("SMALL_CARDINAL_NUMBER", "{0.1: $SPEECHLY.minus} $SPEECHLY.small"),
        ("FOUR_DIGIT_NUMBER", "$SPEECHLY.digit $SPEECHLY.digit $SPEECHLY.digit $SPEECHLY.digit"),
        ("POSITIVE_NUMBER", "$SPEECHLY.whole {0.1: $SPEECHLY.decimals}"),
        ("NEGATIVE_NUMBER", "$SPEECHLY.minus $SPEECHLY.whole {0.1: $SPEECHLY.decimals}"),
        ("ordinal_unit", "[first | second | third | fourth | fifth | sixth | seventh | eighth | ninth]"),
        (
            "ordinal_teen",
            "[tenth | eleventh | twelfth | thirteenth | fourteenth | fifteenth | sixteenth | seventeenth "
                + "| eighteenth | nineteenth]"
        ),
        (
            "SMALL_ORDINAL_NUMBER",
            "[9: $SPEECHLY.ordinal_unit | 10: $SPEECHLY.ordinal_teen | twentieth | 9: twenty $SPEECHLY.ordinal_unit "
                + "| thirtieth | thirty first]"
        ),
        (
            "letter",
            "[\(Array("abcdefghijklmnopqrstuvwxyz").map(String.init).joined(separator: " | "))]"
        ),
        ("alphabet", "[\(SALSpelling.alphabet.joined(separator: " | "))]"),
        ("symbol", "[dash | hyphen | slash | dot | point | comma | hash]"),
        (
            "character",
            "[26: $SPEECHLY.letter | 10: $SPEECHLY.alphabet | 20: $SPEECHLY.digit | 4: $SPEECHLY.symbol]"
        ),
        ("one_to_four", upTo(4, "$SPEECHLY.character")),
        ("four", Array(repeating: "$SPEECHLY.character", count: 4).joined(separator: " ")),
        ("IDENTIFIER_SHORT", "$SPEECHLY.one_to_four"),
        ("IDENTIFIER_MEDIUM", "$SPEECHLY.four $SPEECHLY.one_to_four"),
        ("IDENTIFIER_LONG", "$SPEECHLY.four $SPEECHLY.four $SPEECHLY.one_to_four"),
        (
            "IDENTIFIER",
            "[$SPEECHLY.IDENTIFIER_SHORT | $SPEECHLY.IDENTIFIER_MEDIUM | $SPEECHLY.IDENTIFIER_LONG]"
        ),
        (
            "dialled",
            "[9: $SPEECHLY.digit | 0.3: [double | triple] $SPEECHLY.digit | 0.1: $SPEECHLY.one_to_nine hundred]"
        ),
        (
            "PHONE_NUMBER",
            "{0.3: plus} \(Array(repeating: "$SPEECHLY.dialled", count: 5).joined(separator: " ")) "
                + "{0.9: \(upTo(10, "$SPEECHLY.dialled", more: 0.85))}"
        ),
    ]

    /// One to `count` of something in a row.
    static func upTo(_ count: Int, _ item: String, more: Double = 0.7) -> String {
        count == 1 ? item : "\(item) {\(more): \(upTo(count - 1, item, more: more))}"
    }
}
