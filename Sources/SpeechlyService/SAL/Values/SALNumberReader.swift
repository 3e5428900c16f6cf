import Foundation

/// "minus seventeen point five" to -17.5, "three quarters" to 0.75.
enum SALNumberReader {
    private static let parts = [
        "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
        "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8,
        "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10,
    ]

    static func value(_ words: [String]) -> String? {
        guard let first = words.first else { return nil }
        if first == "minus" || first == "negative" {
            return positive(Array(words.dropFirst())).map { $0 == "0" ? $0 : "-" + $0 }
        }
        return positive(words)
    }

    private static func positive(_ words: [String]) -> String? {
        if let point = words.firstIndex(where: { $0 == "point" || $0 == "dot" }) {
            let whole = point == 0 ? "0" : SALSpokenNumber.digits(words[..<point])
            guard let whole, let decimals = SALSpokenNumber.digits(words[(point + 1)...]) else { return nil }
            return whole + "." + decimals
        }
        return fraction(words) ?? SALSpokenNumber.digits(words)
    }

    /// "half", "a third", "two thirds", "five and a half".
    private static func fraction(_ words: [String]) -> String? {
        guard let last = words.last, let part = parts[last] else { return nil }
        var before = words.dropLast()
        let isPlain = last.hasSuffix("s") || part == 2 || last == "quarter"
        var count = 1
        var whole = 0
        if let and = before.lastIndex(of: "and") {
            guard let number = SALSpokenNumber.whole(before[..<and]) else { return nil }
            whole = number
            before = before[(and + 1)...]
            // "one hundred and tenth" and "and twenty fifth" are places in a row.
            guard !before.isEmpty, isPlain || before.elementsEqual(["a"]) || before.elementsEqual(["one"]) else {
                return nil
            }
        } else if !isPlain, before.count != 1 || !["a", "one"].contains(before.last) {
            // "twenty third" and "fifth" are places in a row.
            return nil
        }
        if !before.isEmpty, before.count > 1 || before.first != "a" && before.first != "an" {
            guard let number = SALSpokenNumber.whole(before), number < 1_000_000 else { return nil }
            count = number
        }
        guard whole < 1_000_000_000 else { return nil }
        let text = String(
            format: "%.4f", locale: Locale(identifier: "en_US_POSIX"), Double(whole) + Double(count) / Double(part))
        return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
    }
}
