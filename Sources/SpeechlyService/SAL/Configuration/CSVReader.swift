/// Rows of comma separated values (RFC 4180: quotes, doubled quotes, any kind of line end).
struct CSVReader {
    struct Cell {
        /// What is between the separators or quotes, without blanks at its ends.
        var range: Range<Int>
        /// Quoted with doubled quotes or line ends within: the bytes of the range are not the value.
        var isEscaped = false
    }

    struct Row {
        /// Where its first cell begins.
        var offset: Int
        var cells: [Cell]
    }

    struct Problem: Error {
        var offset: Int
        var message: String
    }

    private let bytes: [UInt8]
    private let end: Int
    private var offset: Int

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// All rows of a part of some bytes but empty lines.
    static func rows(_ bytes: [UInt8], in range: Range<Int>) throws(Problem) -> [Row] {
        var reader = CSVReader(bytes, range)
        var rows: [Row] = []
        while reader.offset < reader.end {
            let row = try reader.row()
            if row.cells.count > 1 || row.cells.contains(where: { !$0.range.isEmpty }) { rows.append(row) }
        }
        return rows
    }

    private mutating func row() throws(Problem) -> Row {
        var row = Row(offset: offset, cells: [])
        while true {
            row.cells.append(try cell())
            guard offset < end else { return row }
            let separator = bytes[offset]
            offset += 1
            if separator == Ascii.comma { continue }
            if separator == Ascii.carriageReturn, offset < end, bytes[offset] == Ascii.newline { offset += 1 }
            return row
        }
    }

    /// Moves to the separator behind the cell.
    private mutating func cell() throws(Problem) -> Cell {
        skipBlanks()
        if offset < end, bytes[offset] == Ascii.quote { return try quoted() }
        let start = offset
        while offset < end, !Self.isSeparator(bytes[offset]) { offset += 1 }
        return Cell(range: trimmed(start..<offset))
    }

    private mutating func quoted() throws(Problem) -> Cell {
        let open = offset
        offset += 1
        let start = offset
        var isEscaped = false
        while true {
            guard offset < end else { throw Problem(offset: open, message: "'\"' is not closed") }
            let byte = bytes[offset]
            offset += 1
            if byte == Ascii.newline || byte == Ascii.carriageReturn { isEscaped = true }
            guard byte == Ascii.quote else { continue }
            guard offset < end, bytes[offset] == Ascii.quote else { break }
            isEscaped = true
            offset += 1
        }
        let range = start..<offset - 1
        skipBlanks()
        guard offset == end || Self.isSeparator(bytes[offset]) else {
            throw Problem(offset: offset, message: "text behind a closing '\"'")
        }
        return Cell(range: trimmed(range), isEscaped: isEscaped)
    }

    /// The value of an escaped cell, line ends as blanks.
    static func unescaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var wasQuote = false
        for byte in bytes {
            if byte == Ascii.quote, wasQuote {
                wasQuote = false
                continue
            }
            wasQuote = byte == Ascii.quote
            result.append(byte == Ascii.newline || byte == Ascii.carriageReturn ? Ascii.blank : byte)
        }
        return result
    }

    private mutating func skipBlanks() {
        while offset < end, Self.isBlank(bytes[offset]) { offset += 1 }
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Self.isBlank(bytes[start]) { start += 1 }
        while start < end, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == Ascii.blank || byte == Ascii.tab }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == Ascii.comma || byte == Ascii.newline || byte == Ascii.carriageReturn
    }
}
