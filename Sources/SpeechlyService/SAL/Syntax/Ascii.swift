/// The characters with a meaning in SAL; all of them are ASCII, so bytes can be compared.
enum Ascii {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let blank = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
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
