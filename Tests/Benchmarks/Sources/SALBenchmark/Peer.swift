import Foundation

/// The plain way to do the same: one regular expression with the templates as alternatives and a group
/// for each entity (ICU's engine through Foundation).
struct RegularExpressionPeer {
    private let expression: NSRegularExpression

    init(templates source: String) throws {
        var variables: [String: String] = [:]
        var lines: [String] = []
        for line in source.split(separator: "\n") {
            if let equals = line.range(of: " = "), !line.hasPrefix("*") {
                variables[String(line[..<equals.lowerBound])] = RegularExpressionPeer.pattern(
                    String(line[equals.upperBound...]), [:])
            } else {
                lines.append(RegularExpressionPeer.pattern(String(line.drop { $0 != " " }), variables))
            }
        }
        expression = try NSRegularExpression(pattern: "^(?:" + lines.joined(separator: "|") + ")$")
    }

    /// Every word of the pattern is followed by one blank.
    private static func pattern(_ template: String, _ variables: [String: String]) -> String {
        var result = ""
        var rest = template[...]
        while let first = rest.first {
            switch first {
            case "[": result += "(?:"
            case "]": result += ")"
            case "{": result += "(?:"
            case "}": result += ")?"
            case "|": result += "|"
            case " ": break
            case "$":
                let name = rest.dropFirst().prefix { $0.isLetter }
                result += "(" + (variables[String(name)] ?? "") + ")"
                rest = rest.drop { $0 != ")" }.dropFirst()
                continue
            default:
                let word = rest.prefix { $0.isLetter }
                result += word + " "
                rest = rest.dropFirst(word.count)
                continue
            }
            rest = rest.dropFirst()
        }
        return result
    }

    func matches(_ words: [String]) -> Bool {
        let text = words.joined(separator: " ") + " "
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
