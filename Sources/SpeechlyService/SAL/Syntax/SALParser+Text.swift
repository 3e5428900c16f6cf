/// Checks of the text as a whole.
extension SALParser {
    /// Whether the text can be parsed at all: its size, and that it is UTF-8.
    mutating func checkText() -> Bool {
        let bytes = report.source.bytes
        guard bytes.count <= SALSource.maximumSize else {
            // Places in a text that large are not known.
            error(
                at: 0, "configuration of \(bytes.count) bytes is too large",
                hint: "at most \(SALSource.maximumSize) bytes")
            return false
        }
        if let offset = SALParser.firstInvalid(bytes) {
            error(at: offset, "not UTF-8 text", hint: "save the file in the encoding UTF-8")
            return false
        }
        return true
    }

    /// Byte offset of the first sequence that is not UTF-8.
    private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }
}
