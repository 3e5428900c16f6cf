/// What becomes of the spoken words of an entity.
///
/// Where the words cannot be converted, the value is the words as spoken; it is never empty.
public enum SALDataType: String, Sendable, Hashable, CaseIterable {
    /// The words as spoken.
    case string
    /// Digits: "seventeen point five" is 17.5.
    case number
    /// A day as YYYY-MM-DD. Without a year it is in the current one; a weekday is the next one.
    case date
    /// A day as YYYY-MM-DD. What the words leave open is taken from today on.
    case dateFuture = "date_future"
    /// A day as YYYY-MM-DD. What the words leave open is taken up to today.
    case datePast = "date_past"
    /// A time of day as hh:mm, in 24 hours.
    case time
    /// Characters in a row: "zero zero seven x" is 007x.
    case identifier
    /// A telephone number with its parts set apart.
    case phone
    /// A name with capitals; spelled parts are joined.
    case personName = "person_name"
    /// A mail address.
    case email
    /// A web address.
    case website
    /// A US street address with the usual abbreviations.
    case streetAddress = "street_address"
    /// What a table says for the words.
    case lookup

    private static let aliases: [String: SALDataType] = [
        "phone_number": .phone, "person": .personName, "name": .personName, "email_address": .email,
        "web_address": .website, "url": .website, "web": .website, "address": .streetAddress, "text": .string,
        "cardinal": .number,
    ]

    /// The type that a configuration calls by a name.
    init?(name: String) {
        let key = name.lowercased().replacing("-", with: "_").replacing(" ", with: "_")
        guard let type = SALDataType(rawValue: key) ?? Self.aliases[key] else { return nil }
        self = type
    }
}
