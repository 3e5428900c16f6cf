/// Asks for the meaning of a text.
public struct WLURequest: ProtoMessage {
    /// The full name in the schema.
    public static var messageName: String { "speechly.slu.v1.WLURequest" }

    /// The language of the text, BCP 47. Required.
    public var languageCode: String
    /// The text. Required.
    public var text: String
    /// What relative dates are relative to; `nil` means now.
    public var referenceTime: ProtoTimestamp?

    /// Makes a message with every field at its default.
    public init() {
        languageCode = ""
        text = ""
        referenceTime = nil
    }

    /// Makes a message.
    public init(languageCode: String = "", text: String = "", referenceTime: ProtoTimestamp? = nil) {
        self.languageCode = languageCode
        self.text = text
        self.referenceTime = referenceTime
    }

    /// Reads fields into this message; see `ProtoMessage`.
    public mutating func merge(from reader: inout ProtoReader) throws(ProtoError) {
        while let tag = try reader.nextTag() {
            switch tag {
            case 0x0A:  // language_code = 1
                languageCode = try reader.string()
            case 0x12:  // text = 2
                text = try reader.string()
            case 0x1A:  // reference_time = 3
                var value = referenceTime ?? ProtoTimestamp()
                referenceTime = nil
                try reader.message(&value)
                referenceTime = value
            default:
                try reader.skip(tag)
            }
        }
    }

    /// Writes the fields, last to first; see `ProtoMessage`.
    public func encode(into writer: inout ProtoWriter) {
        if let referenceTime { writer.message(referenceTime, field: 3) }
        writer.string(text, field: 2)
        writer.string(languageCode, field: 1)
    }
}
