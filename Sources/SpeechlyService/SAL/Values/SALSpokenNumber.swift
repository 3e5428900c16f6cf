/// Words to numbers.
enum SALSpokenNumber {
    struct Chunk {
        var value: Int
        /// Index of the word behind it.
        var end: Int
        var isOrdinal = false
    }

    private static let digits = [
        "zero": 0, "oh": 0, "o": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
        "eight": 8, "nine": 9,
    ]
    private static let teens = [
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]
    private static let tens = [
        "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
        "ninety": 90,
    ]
    private static let ordinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
        "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
        "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
    ]
    private static let scales = ["thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000]
    private static let scaledOrdinals = ["hundredth": 100, "thousandth": 1000]

    static func digit(_ word: String) -> Int? { digits[word] ?? (word.utf8.count == 1 ? Int(word) : nil) }

    /// The longest number from a word on: "eleven hundred eleven", "five million five hundred", "twenty
    /// second". Not a row of digits: those are a chunk each.
    static func chunk(_ words: [String], at start: Int) -> Chunk? {
        var total = 0
        var current = 0
        var lastScale = Int.max
        var index = start
        while index < words.count, index - start < 40 {
            let word = words[index]
            // "and" joins what follows a hundred or a scale.
            if word == "and" {
                guard index > start, current % 100 == 0, current > 0 || total > 0, index + 1 < words.count,
                    below100(words, at: index + 1) != nil || words[index + 1] == "a"
                else { break }
                index += 1
                continue
            }
            if word == "hundred" || word == "hundredth" {
                guard (1..<100).contains(current) else { break }
                current *= 100
                index += 1
                if word == "hundredth" { return Chunk(value: total + current, end: index, isOrdinal: true) }
                continue
            }
            if let scale = scales[word] ?? scaledOrdinals[word] {
                guard current > 0, scale < lastScale else { break }
                total += current * scale
                current = 0
                lastScale = scale
                index += 1
                if scaledOrdinals[word] != nil { return Chunk(value: total, end: index, isOrdinal: true) }
                continue
            }
            if word == "a" || word == "an" {
                guard current == 0, index + 1 < words.count,
                    words[index + 1] == "hundred" || scales[words[index + 1]] != nil
                else { break }
                current = 1
                index += 1
                continue
            }
            guard let small = below100(words, at: index) else { break }
            guard current == 0 || current % 100 == 0 else { break }
            if small.value == 0 {
                guard index == start else { break }
                return Chunk(value: 0, end: small.end)
            }
            current += small.value
            index = small.end
            if small.isOrdinal { return Chunk(value: total + current, end: index, isOrdinal: true) }
        }
        guard index > start, current > 0 || total > 0 else { return nil }
        return Chunk(value: total + current, end: index)
    }

    /// "seven", "twenty two", "thirty first".
    static func below100(_ words: [String], at index: Int) -> Chunk? {
        let word = words[index]
        if let ten = tens[word] {
            if index + 1 < words.count {
                if let unit = digits[words[index + 1]], unit > 0 { return Chunk(value: ten + unit, end: index + 2) }
                if let unit = ordinals[words[index + 1]], unit < 10 {
                    return Chunk(value: ten + unit, end: index + 2, isOrdinal: true)
                }
            }
            return Chunk(value: ten, end: index + 1)
        }
        if let value = digits[word] ?? teens[word] { return Chunk(value: value, end: index + 1) }
        if let value = ordinals[word] { return Chunk(value: value, end: index + 1, isOrdinal: true) }
        if word.utf8.count <= 3, let value = Int(word), (0..<100).contains(value) {
            return Chunk(value: value, end: index + 1)
        }
        return nil
    }

    /// All words as digits: one number, or several said one after another ("five six four nine").
    static func digits(_ words: some Collection<String>) -> String? {
        let words = Array(words)
        if words.count == 1, let word = words.first, isWritten(word) { return word.replacing(",", with: "") }
        var index = 0
        var chunks: [Int] = []
        while index < words.count {
            guard let chunk = chunk(words, at: index) else { return nil }
            chunks.append(chunk.value)
            index = chunk.end
            if chunk.isOrdinal, index < words.count { return nil }
        }
        guard chunks.count == 1 || chunks.allSatisfy({ $0 < 1000 }) else { return nil }
        return chunks.isEmpty ? nil : chunks.map(String.init).joined()
    }

    /// All words as one whole number.
    static func whole(_ words: some Collection<String>) -> Int? { digits(words).flatMap { Int($0) } }

    private static func isWritten(_ word: String) -> Bool {
        word.utf8.contains(where: Ascii.isDigit)
            && word.utf8.allSatisfy { Ascii.isDigit($0) || $0 == Ascii.comma || $0 == Ascii.dot }
    }
}
