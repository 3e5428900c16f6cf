/// Names and addresses.
enum SALNameReader {
    static func capitalized(_ word: String) -> String {
        var result = ""
        var atStart = true
        for character in word {
            result += atStart ? character.uppercased() : String(character)
            atStart = character == "'" && result.count == 2 || character == "-"
        }
        if result.hasPrefix("Mc"), result.count > 3 {
            result = "Mc" + result.dropFirst(2).prefix(1).uppercased() + result.dropFirst(3)
        }
        return result
    }

    /// Three letters in a row of which one is a vowel are a spelled name; fewer are initials.
    static func person(_ words: [String]) -> String? {
        var parts: [String] = []
        var letters: [String] = []
        func spelled() -> [String] {
            let isName = letters.count >= 3 && letters.contains { "aeiouy".contains($0) }
            return isName ? [capitalized(letters.joined())] : letters.map { $0.uppercased() }
        }
        for word in words {
            if let letter = SALSpelling.letter(word) {
                letters.append(letter)
                continue
            }
            guard !word.utf8.contains(where: Ascii.isDigit) else { return nil }
            parts += spelled() + [capitalized(word)]
            letters = []
        }
        parts += spelled()
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    static func email(_ words: [String]) -> String? {
        let text = joined(words)
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, isDotted(sides[0], least: 1), isDotted(sides[1], least: 2) else { return nil }
        return text
    }

    static func website(_ words: [String]) -> String? {
        let text = joined(words)
        let address = text.range(of: "://").map { text[$0.upperBound...] } ?? text[...]
        let host = address.prefix { $0 != "/" && $0 != ":" }
        guard isDotted(host, least: 2), !text.contains("@") else { return nil }
        return text
    }

    private static func isDotted(_ text: Substring, least: Int) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= least && parts.allSatisfy { !$0.isEmpty }
    }

    private static func joined(_ words: [String]) -> String {
        var text = ""
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "at" {
                text += "@"
            } else if let symbol = SALSpelling.symbol(word) {
                text += symbol
            } else if let number = SALSpokenNumber.chunk(words, at: index), !number.isOrdinal, word != "o" {
                text += String(number.value)
                index = number.end
                continue
            } else {
                text += word
            }
            index += 1
        }
        return text
    }

    // MARK: Streets

    private static let abbreviations = [
        "avenue": "Av.", "road": "Rd.", "street": "St", "boulevard": "Blvd.", "drive": "Dr.", "lane": "Ln.",
        "court": "Ct.", "place": "Pl.", "square": "Sq.", "highway": "Hwy.", "parkway": "Pkwy.", "terrace": "Ter.",
        "circle": "Cir.", "apartment": "Apt.", "suite": "Ste.",
    ]
    private static let directions = [
        "north": "N", "south": "S", "east": "E", "west": "W", "northeast": "NE", "northwest": "NW",
        "southeast": "SE", "southwest": "SW",
    ]

    static func street(_ words: [String]) -> String? {
        var parts: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            if let run = numbers(words, at: index) {
                parts += run.parts
                index = run.end
                continue
            }
            let isLast = index == words.count - 1
            if let direction = directions[word], !isLast, abbreviations[words[index + 1]] == nil {
                parts.append(direction)
            } else if index > 0, let short = abbreviations[word] {
                parts.append(short)
            } else {
                parts.append(capitalized(word))
            }
            index += 1
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Numbers in a row are one house number; one that says a place in a row is a street.
    private static func numbers(_ words: [String], at start: Int) -> (parts: [String], end: Int)? {
        var digits = ""
        var index = start
        while index < words.count, let chunk = SALSpokenNumber.chunk(words, at: index) {
            index = chunk.end
            if chunk.isOrdinal { return ((digits.isEmpty ? [] : [digits]) + [ordinal(chunk.value)], index) }
            digits += String(chunk.value)
        }
        return index > start ? ([digits], index) : nil
    }

    private static func ordinal(_ number: Int) -> String {
        switch (number % 10, number % 100) {
        case (_, 11...13): "\(number)th"
        case (1, _): "\(number)st"
        case (2, _): "\(number)nd"
        case (3, _): "\(number)rd"
        default: "\(number)th"
        }
    }
}
