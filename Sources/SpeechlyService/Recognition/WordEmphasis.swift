import Foundation

/// Words that a client wants to be heard more readily, or less, than the configuration says.
struct WordEmphasis: Hashable {
    private static let limits = -4.0...4.0

    private var words: Set<String> = []
    private var weight = 1.0

    /// As the configuration says.
    init() {}

    /// - Parameters:
    ///   - phrases: words, or several with blanks between them.
    ///   - bias: how often the likelihood is doubled; negative values halve it. From -4 to 4.
    init(_ phrases: [String], bias: Double) {
        let bias = min(max(bias, Self.limits.lowerBound), Self.limits.upperBound)
        guard bias != 0 else { return }
        words = Set(
            phrases.flatMap { $0.split(whereSeparator: \.isWhitespace).flatMap { SALWords.normalized(String($0)) } })
        weight = words.isEmpty ? 1 : pow(2, bias)
    }

    func factor(_ word: String) -> Double { words.contains(word) ? weight : 1 }
}
