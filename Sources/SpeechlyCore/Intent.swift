/// What the speaker of a segment wants, by a name from the application's configuration.
///
/// The intent is what an app dispatches on: book a table, sort a list, reset a form.
public struct Intent: Hashable, Sendable, Codable {
    /// No intent yet: the empty string, not final.
    public static let Empty = Intent(value: "", isFinal: false)

    /// The name of the intent; empty when there is none.
    public let value: String

    /// Whether the intent is final. One that is not final may still change.
    public let isFinal: Bool

    /// Creates an intent.
    ///
    /// - Parameters:
    ///   - value: the name of the intent.
    ///   - isFinal: whether the intent is final.
    public init(value: String, isFinal: Bool) {
        self.value = value
        self.isFinal = isFinal
    }
}

extension Intent: Identifiable {
    /// The name of the intent.
    public var id: String { value }
}

extension Intent: Comparable {
    /// Orders by value; ties tentative before final.
    public static func < (lhs: Intent, rhs: Intent) -> Bool {
        if lhs.value != rhs.value { return lhs.value < rhs.value }
        return !lhs.isFinal && rhs.isFinal
    }
}
