/// Names and addresses. Their words are not a closed set: beside those that are listed, which are what a
/// recogniser can hear, any word is understood.
enum SALStandardNames {
    private static let firstNames = """
        james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph \
        jessica thomas sarah christopher karen charles lisa daniel nancy matthew betty anthony sandra mark margaret \
        donald ashley steven kimberly andrew emily paul donna joshua michelle kenneth carol kevin amanda brian melissa \
        george deborah timothy stephanie ronald rebecca edward laura jason helen jeffrey sharon ryan cynthia jacob amy \
        gary kathleen nicholas angela eric shirley jonathan anna stephen emma larry ruth justin olivia scott sophia \
        peter maria adam julia henry alice oliver grace simon claire martin amelia antti conan max leo eva kate tom
        """
    private static let lastNames = """
        smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson \
        anderson thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson \
        walker young allen king wright torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell \
        carter roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy \
        cook rogers morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks wood \
        bennett gray hughes price myers long foster ross powell sullivan russell jenkins perry butler barnes fisher \
        earhart o'brien
        """
    private static let streets = """
        main oak pine maple cedar elm washington lake hill walnut spring north ridge church park michigan lincoln \
        jackson madison jefferson franklin river sunset highland market state union mission broadway
        """
    private static let domains = """
        gmail hotmail yahoo outlook icloud company example speechly google apple amazon microsoft
        """

    private static func list(_ words: String, any: Double = 0) -> String {
        let items = words.split(separator: " ").joined(separator: " | ")
        return any > 0 ? "[\(items) | \(any): $\(SALStandardVariables.anyWord)]" : "[\(items)]"
    }

    static let definitions: [(name: String, value: String)] = [
        ("first_name", list(firstNames, any: 0.05)),
        ("last_name", list(lastNames, any: 0.05)),
        ("spelled", "$SPEECHLY.letter \(SALStandardNumbers.upTo(9, "$SPEECHLY.letter", more: 0.8))"),
        (
            "PERSON_NAME",
            "[3: $SPEECHLY.first_name | 6: $SPEECHLY.first_name {0.2: $SPEECHLY.letter} $SPEECHLY.last_name "
                + "| 0.5: $SPEECHLY.first_name $SPEECHLY.first_name $SPEECHLY.last_name "
                + "| 0.5: $SPEECHLY.spelled {$SPEECHLY.last_name} | 0.3: $SPEECHLY.first_name $SPEECHLY.spelled]"
        ),
        (
            "mail_word",
            "[$SPEECHLY.first_name | $SPEECHLY.last_name "
                + "| 0.4: \(list("info mail contact support sales hello office", any: 0.05))]"
        ),
        (
            "mail_part",
            "[4: $SPEECHLY.mail_word | $SPEECHLY.letter | 2: $SPEECHLY.spelled] "
                + "{0.1: $SPEECHLY.digit {$SPEECHLY.digit {$SPEECHLY.digit}}}"
        ),
        ("domain_word", list(domains, any: 0.05)),
        (
            "domain",
            "[3: $SPEECHLY.domain_word | 0.2: $SPEECHLY.spelled] {0.1: dash $SPEECHLY.domain_word} "
                + "dot [9: com | 2: org | 2: net | io | edu | gov | info | fi | de | us | dev "
                + "| 0.5: [co | com] dot [uk | au | jp | nz]]"
        ),
        (
            "EMAIL_ADDRESS",
            "$SPEECHLY.mail_part {0.4: [4: dot | dash | underscore | plus] $SPEECHLY.mail_part} "
                + "{0.1: dot $SPEECHLY.mail_part} at $SPEECHLY.domain"
        ),
        (
            "WEB_ADDRESS",
            "{0.2: h t t p {s} colon slash slash} {0.4: w w w dot} "
                + "{0.2: \(list("docs blog shop mail api news", any: 0.02)) dot} $SPEECHLY.domain "
                + "{0.2: slash [\(list("about docs blog help contact news", any: 0.02)) | 0.2: $SPEECHLY.spelled]}"
        ),
        (
            "ordinal",
            "[9: $SPEECHLY.ordinal_unit | 10: $SPEECHLY.ordinal_teen "
                + "| [twentieth | thirtieth | fortieth | fiftieth | sixtieth | seventieth | eightieth | ninetieth] "
                + "| 20: $SPEECHLY.tens $SPEECHLY.ordinal_unit]"
        ),
        (
            "house_number",
            "[4: $SPEECHLY.below_hundred | 4: $SPEECHLY.one_to_nine [oh $SPEECHLY.one_to_nine | $SPEECHLY.teen "
                + "| $SPEECHLY.tens {$SPEECHLY.one_to_nine}] | 2: $SPEECHLY.hundreds "
                + "| $SPEECHLY.below_hundred $SPEECHLY.below_hundred | $SPEECHLY.thousands "
                + "| $SPEECHLY.digit $SPEECHLY.digit $SPEECHLY.digit {$SPEECHLY.digit {$SPEECHLY.digit}}]"
        ),
        ("street_word", list(streets, any: 0.05)),
        (
            "STREET_ADDRESS",
            "$SPEECHLY.house_number {0.2: [north | south | east | west]} "
                + "[3: $SPEECHLY.street_word {0.1: $SPEECHLY.street_word} "
                + "| {0.1: [one | two] hundred {and}} $SPEECHLY.ordinal] "
                + "[4: street | 3: avenue | 2: road | drive | lane | boulevard | court | place | way | square | highway]"
        ),
    ]
}
