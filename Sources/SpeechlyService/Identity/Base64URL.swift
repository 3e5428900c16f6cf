import Foundation

/// Base 64 with the URL alphabet and without padding, as tokens are written.
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = Data(bytes).base64EncodedString()
        while text.last == "=" { text.removeLast() }
        return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// The bytes, or `nil` if the text has other characters or an impossible length.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var standard = ""
        for character in text.unicodeScalars {
            switch character {
            case "A"..."Z", "a"..."z", "0"..."9": standard.unicodeScalars.append(character)
            case "-": standard += "+"
            case "_": standard += "/"
            default: return nil
            }
        }
        let surplus = standard.utf8.count % 4
        guard surplus != 1 else { return nil }
        if surplus > 0 { standard += String(repeating: "=", count: 4 - surplus) }
        return Data(base64Encoded: standard).map(Array.init)
    }
}
