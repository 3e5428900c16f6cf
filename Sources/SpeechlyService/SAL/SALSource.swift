/// The text of a configuration as bytes, and the way from a byte offset back to line and column.
struct SALSource: Sendable {
    let file: String
    let bytes: [UInt8]
    private let lineStarts: [Int]

    /// Larger texts are refused: no real configuration comes near, and offsets stay small.
    static let maximumSize = 16 << 20

    init(file: String, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        var starts = [0]
        if bytes.count <= Self.maximumSize {
            for (offset, byte) in bytes.enumerated() where byte == Ascii.newline { starts.append(offset + 1) }
        }
        lineStarts = starts
    }

    /// Where the text begins: behind a byte order mark if there is one.
    var startOffset: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Line number from 1.
    func line(at offset: Int) -> Int { lineIndex(at: offset) + 1 }

    func diagnostic(
        _ level: SALDiagnostic.Level, at offset: Int, _ message: String, hint: String? = nil
    ) -> SALDiagnostic {
        let offset = min(max(offset, 0), bytes.count)
        let index = lineIndex(at: offset)
        var start = lineStarts[index]
        if index == 0 { start = max(start, min(startOffset, offset)) }
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        end = max(end, offset)
        if end > start, bytes[end - 1] == Ascii.carriageReturn, end > offset { end -= 1 }
        let before = text(start..<offset)
        let column = before.count + 1
        end = min(end, offset + 240)
        // A window of the line: whole lines may be megabytes.
        let shownBefore = String(before.suffix(60))
        let shownAfter = String(text(offset..<boundary(near: end)).prefix(60))
        let clipped = shownBefore.count < before.count
        return SALDiagnostic(
            file: file, line: index + 1, column: column, level: level, message: message, hint: hint,
            sourceLine: (clipped ? "…" : "") + shownBefore + shownAfter,
            caretOffset: shownBefore.count + (clipped ? 1 : 0)
        )
    }

    private func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The next offset that does not cut a UTF-8 sequence.
    private func boundary(near offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }
}

/// The characters with a meaning in SAL; all of them are ASCII, so bytes can be compared.
enum Ascii {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let blank = UInt8(ascii: " ")
    static let hash = UInt8(ascii: "#")
    static let star = UInt8(ascii: "*")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let bar = UInt8(ascii: "|")
    static let dollar = UInt8(ascii: "$")
    static let bang = UInt8(ascii: "!")
    static let equals = UInt8(ascii: "=")
    static let colon = UInt8(ascii: ":")
    static let dot = UInt8(ascii: ".")
    static let hyphen = UInt8(ascii: "-")
    static let underscore = UInt8(ascii: "_")

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
    /// What names of intents, entities and variables are made of.
    static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == underscore || byte == hyphen
    }
    static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case star, openBracket, closeBracket, openParenthesis, closeParenthesis, openBrace, closeBrace, bar, dollar:
            true
        default: false
        }
    }
}
