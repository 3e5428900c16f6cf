/// Spoken words to the value that a data type makes of them.
enum SALValueReader {
    /// The value; nil if the words are not of the type, and for types that keep the words.
    static func value(_ type: SALDataType, words: [String], at moment: SALMoment?) -> String? {
        nil
    }
}
