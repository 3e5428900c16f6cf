import Foundation

/// Compares output with what a document shows. `…` alone on a line stands for any lines, within a line for any text.
enum Expectation {
    static func matches(_ output: [String], _ expected: [String]) -> Bool {
        guard let first = expected.first else { return output.isEmpty }
        if first.trimmed == "…" {
            return (0...output.count).contains { matches(Array(output[$0...]), Array(expected.dropFirst())) }
        }
        guard let line = output.first, matches(line: line, first) else { return false }
        return matches(Array(output.dropFirst()), Array(expected.dropFirst()))
    }

    static func matches(line: String, _ expected: String) -> Bool {
        let parts = expected.trimmedAtEnd.components(separatedBy: "…")
        var rest = Substring(line.trimmedAtEnd)
        for (index, part) in parts.enumerated() {
            if index == 0 {
                guard rest.hasPrefix(part) else { return false }
                rest = rest.dropFirst(part.count)
                if parts.count == 1 { return rest.isEmpty }
            } else if index == parts.count - 1 {
                return rest.hasSuffix(part)
            } else {
                guard let range = rest.range(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
        }
        return false
    }
}

extension String {
    var trimmed: String { String(drop { $0 == " " }).trimmedAtEnd }
    var trimmedAtEnd: String {
        var text = self
        while text.last == " " || text.last == "\r" { text.removeLast() }
        return text
    }
}
