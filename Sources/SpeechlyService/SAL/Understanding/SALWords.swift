/// What of a written word is compared: lower case, without punctuation, cut at hyphens.
///
/// The same rule serves templates and the words of an utterance. Punctuation at the edges is dropped,
/// within a word it separates, except where it carries meaning: `o'brien`, `a.m`, `1.5`. A word may come
/// out as several ("ninety-five" is spoken like "ninety five") or as none.
enum SALWords {
    /// The words of a written text. Control characters separate as white space does: nobody speaks them, and in a
    /// value they would reach whatever shows or stores it.
    static func spoken(in text: String) -> [String] {
        text.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
            .map(String.init)
    }

    static func normalized(_ word: String) -> [String] {
        if let plain = plainAscii(word) { return [plain] }
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        let scalars = Array(word.lowercased().unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if isWord(scalar) {
                part.append(scalar)
            } else if let last = part.last, index + 1 < scalars.count, isWord(scalars[index + 1]),
                let kept = innerPunctuation(scalar, between: last, and: scalars[index + 1])
            {
                part.append(kept)
            } else if !part.isEmpty {
                parts.append(String(part))
                part = String.UnicodeScalarView()
            }
        }
        if !part.isEmpty { parts.append(String(part)) }
        return parts
    }

    /// The common case, in one pass: only ASCII letters and digits.
    private static func plainAscii(_ word: String) -> String? {
        var changed = false
        for byte in word.utf8 {
            if byte >= 0x41 && byte <= 0x5A {
                changed = true
            } else if !(Ascii.isLetter(byte) || Ascii.isDigit(byte)) {
                return nil
            }
        }
        if word.isEmpty { return nil }
        return changed ? word.lowercased() : word
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "#", "%", "&", "@", "_": return true
        case "`", "´": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
            .mathSymbol, .currencySymbol, .otherSymbol, .modifierSymbol:
            return scalar.value != 0x02BC
        default:
            return false
        }
    }

    private static func innerPunctuation(
        _ scalar: Unicode.Scalar, between before: Unicode.Scalar, and after: Unicode.Scalar
    ) -> Unicode.Scalar? {
        switch scalar {
        case "'", "\u{2019}", "\u{2018}", "\u{02BC}", "`", "´": "'"
        case ".": scalar
        case ":", ",": before.properties.numericType != nil && after.properties.numericType != nil ? scalar : nil
        default: nil
        }
    }

    /// A word or phrase as written, without the punctuation at its edges.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: isWord), let last = scalars.lastIndex(where: isWord) else {
            return text
        }
        return String(scalars[first...last])
    }

    /// Words that are no part of a name: without them, an open place would take in the rest of a sentence.
    private static let functionWords: Set<String> = [
        "a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "by", "for", "from", "with", "as", "is",
        "are", "was", "be", "am", "do", "does", "did", "can", "could", "would", "will", "shall", "should", "have",
        "has",
        "had", "i", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them", "my", "your", "his",
        "its", "our", "their", "this", "that", "these", "those", "what", "who", "where", "when", "how", "why", "not",
        "no", "yes", "please", "now", "then", "so", "if", "there", "here",
    ]

    /// Whether a compared word may be one of a name or an address.
    static func mayBeName(_ word: String) -> Bool {
        word.utf8.count > 1 && !word.utf8.contains(where: Ascii.isDigit) && !functionWords.contains(word)
    }
}
