/// Words that stand for one character.
enum SALSpelling {
    static let alphabet = [
        "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima",
        "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey",
        "x-ray", "yankee", "zulu",
    ]

    private static let letters: [String: String] = {
        var letters = ["alfa": "a", "juliett": "j", "whisky": "w", "xray": "x", "zed": "z", "zee": "z"]
        for word in alphabet { letters[word] = String(word.prefix(1)) }
        return letters
    }()

    private static let symbols = [
        "dash": "-", "hyphen": "-", "minus": "-", "slash": "/", "dot": ".", "point": ".", "period": ".", "comma": ",",
        "hash": "#", "underscore": "_", "colon": ":", "plus": "+",
    ]

    /// The single letter that a word is.
    static func letter(_ word: String) -> String? {
        word.utf8.count == 1 && word.utf8.allSatisfy(Ascii.isLetter) ? word : nil
    }

    static func symbol(_ word: String) -> String? { symbols[word] }

    /// "zero zero seven x" to "007x"; nil if a word is none of this.
    static func identifier(_ words: [String]) -> String? {
        var text = ""
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "x", index + 1 < words.count, words[index + 1] == "ray" {
                text += "x"
                index += 2
            } else if let times = ["double": 2, "triple": 3][word], index + 1 < words.count,
                let character = character(words[index + 1])
            {
                text += String(repeating: character, count: times)
                index += 2
            } else if let character = character(word) {
                text += character
                index += 1
            } else if let number = SALSpokenNumber.chunk(words, at: index), number.value >= 10 {
                text += String(number.value)
                index = number.end
            } else if word.utf8.contains(where: Ascii.isDigit), word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
                text += word
                index += 1
            } else {
                return nil
            }
        }
        return text.isEmpty ? nil : text
    }

    private static func character(_ word: String) -> String? {
        letter(word) ?? letters[word] ?? symbols[word] ?? SALSpokenNumber.digit(word).map(String.init)
    }
}
