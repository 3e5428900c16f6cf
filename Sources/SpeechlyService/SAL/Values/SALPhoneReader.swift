/// Spoken telephone numbers, with blanks between their parts.
enum SALPhoneReader {
    private static let twoDigitCodes: Set<String> = [
        "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47", "48", "49",
        "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65", "66", "81", "82", "84",
        "86", "90", "91", "92", "93", "94", "95", "98",
    ]

    static func value(_ words: [String]) -> String? {
        var words = words[...]
        let hasPlus = words.first == "plus" || words.first == "+"
        if hasPlus { words.removeFirst() }
        guard let digits = digits(Array(words)), (3...20).contains(digits.count) else { return nil }
        guard hasPlus else { return grouped(digits) }
        let length: Int
        switch digits.first {
        case "1", "7": length = 1
        default: length = twoDigitCodes.contains(String(digits.prefix(2))) ? 2 : 3
        }
        guard digits.count > length else { return nil }
        return "+" + digits.prefix(length) + " " + grouped(String(digits.dropFirst(length)))
    }

    private static func digits(_ words: [String]) -> String? {
        var text = ""
        var index = 0
        while index < words.count {
            let word = words[index]
            if let times = ["double": 2, "triple": 3][word], index + 1 < words.count,
                let digit = SALSpokenNumber.digit(words[index + 1])
            {
                text += String(repeating: String(digit), count: times)
                index += 2
            } else if word.utf8.allSatisfy(Ascii.isDigit) {
                text += word
                index += 1
            } else if let number = SALSpokenNumber.below100(words, at: index), !number.isOrdinal {
                // "eight hundred five" is 800 5 here.
                let isHundred = number.end < words.count && words[number.end] == "hundred"
                text += String(number.value) + (isHundred ? "00" : "")
                index = number.end + (isHundred ? 1 : 0)
            } else {
                return nil
            }
        }
        return text
    }

    /// Three by three, the rest of up to four digits at the end: 207 730 1234.
    private static func grouped(_ digits: String) -> String {
        var rest = digits[...]
        var groups: [Substring] = []
        while rest.count > 4 {
            groups.append(rest.prefix(3))
            rest = rest.dropFirst(3)
        }
        return (groups + [rest]).joined(separator: " ")
    }
}
