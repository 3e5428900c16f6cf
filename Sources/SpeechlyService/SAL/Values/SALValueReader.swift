/// Spoken words to the value that a data type makes of them.
enum SALValueReader {
    /// The value; nil if the words are not of the type, and for types that keep the words.
    static func value(_ type: SALDataType, words: [String], at moment: SALMoment?) -> String? {
        switch type {
        case .string, .lookup: nil
        case .number: SALNumberReader.value(words)
        case .date: date(words, moment, .none)
        case .dateFuture: date(words, moment, .future)
        case .datePast: date(words, moment, .past)
        case .time: SALTimeReader.value(words)
        case .identifier: SALSpelling.identifier(words)
        case .phone: SALPhoneReader.value(words)
        case .personName: SALNameReader.person(words)
        case .email: SALNameReader.email(words)
        case .website: SALNameReader.website(words)
        case .streetAddress: SALNameReader.street(words)
        }
    }

    private static func date(
        _ words: [String], _ moment: SALMoment?, _ direction: SALDateReader.Direction
    ) -> String? {
        SALDateReader(today: SALCivilDate(moment ?? SALMoment()), direction: direction).value(words)
    }
}
