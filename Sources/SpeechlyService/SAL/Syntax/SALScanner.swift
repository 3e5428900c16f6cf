/// One lexical element. Offsets are in bytes.
struct SALToken {
    enum Kind {
        case end, newline, star, openBracket, closeBracket, openParenthesis, closeParenthesis
        case openBrace, closeBrace, bar, bang, dollar, word
    }

    var kind: Kind
    var start: Int
    var end: Int
    /// Whether white space (or the start of the line) stands before it.
    var spaceBefore: Bool
}

/// Cuts SAL into tokens on demand. The parser asks for weights, ranges and names where only it knows
/// that one may stand: `3:` is a weight at the start of a list item and text anywhere else.
struct SALScanner {
    let bytes: [UInt8]
    private(set) var offset: Int
    private let end: Int
    private let allowsComments: Bool
    private var atLineStart = true

    /// - Parameters:
    ///   - range: what is scanned, as if nothing else were there.
    ///   - allowsComments: whether `#` at the start of a line begins a comment.
    init(source: SALSource, range: Range<Int>, allowsComments: Bool = true) {
        bytes = source.bytes
        offset = range.lowerBound
        end = range.upperBound
        self.allowsComments = allowsComments
    }

    private func byte(at offset: Int) -> UInt8? { offset < end ? bytes[offset] : nil }

    var nextByte: UInt8? { byte(at: offset) }

    mutating func move(to offset: Int) {
        self.offset = min(offset, end)
        atLineStart = self.offset == 0 || bytes[self.offset - 1] == Ascii.newline
    }

    func peek() -> SALToken {
        var copy = self
        return copy.next()
    }

    mutating func next() -> SALToken {
        let begin = offset
        let wasLineStart = atLineStart
        skipBlanksAndComments()
        let spaceBefore = offset > begin || wasLineStart
        atLineStart = false
        let start = offset
        guard let first = nextByte else {
            return SALToken(kind: .end, start: start, end: start, spaceBefore: spaceBefore)
        }
        let kind: SALToken.Kind
        switch first {
        case Ascii.newline:
            atLineStart = true
            kind = .newline
        case Ascii.star: kind = .star
        case Ascii.openBracket: kind = .openBracket
        case Ascii.closeBracket: kind = .closeBracket
        case Ascii.openParenthesis: kind = .openParenthesis
        case Ascii.closeParenthesis: kind = .closeParenthesis
        case Ascii.openBrace: kind = .openBrace
        case Ascii.closeBrace: kind = .closeBrace
        case Ascii.bar: kind = .bar
        case Ascii.dollar: kind = .dollar
        case Ascii.bang where byte(at: start + 1) == Ascii.openBracket: kind = .bang
        default:
            skipWord()
            return SALToken(kind: .word, start: start, end: offset, spaceBefore: spaceBefore)
        }
        offset += 1
        return SALToken(kind: kind, start: start, end: offset, spaceBefore: spaceBefore)
    }

    mutating func skipBlanks() {
        while let length = blankLength(at: offset) { offset += length }
    }

    /// Moves to the end of the line, before its newline.
    mutating func skipLine() {
        while let byte = nextByte, byte != Ascii.newline { offset += 1 }
        atLineStart = false
    }

    /// `name =` at the start of a line. Moves behind the `=` if it is there, else does not move.
    mutating func scanDefinition() -> Range<Int>? {
        var copy = self
        copy.skipBlanksAndComments()
        let start = copy.offset
        // Anything that looks like a word is taken, so that a bad name gets a message of its own.
        while let byte = copy.nextByte, !Ascii.isSpecial(byte), byte != Ascii.equals, byte != Ascii.newline,
            copy.blankLength(at: copy.offset) == nil
        {
            copy.offset += 1
        }
        let name = start..<copy.offset
        copy.skipBlanks()
        guard !name.isEmpty, copy.nextByte == Ascii.equals else { return nil }
        copy.offset += 1
        copy.atLineStart = false
        self = copy
        return name
    }

    /// `number :` at the start of a list item or optional. The number is not checked here.
    mutating func scanWeight() -> Range<Int>? {
        var copy = self
        copy.skipBlanks()
        let start = copy.offset
        if copy.nextByte == Ascii.hyphen { copy.offset += 1 }
        while let byte = copy.nextByte, Ascii.isDigit(byte) || byte == Ascii.dot { copy.offset += 1 }
        let number = start..<copy.offset
        guard bytes[number].contains(where: Ascii.isDigit) else { return nil }
        copy.skipBlanks()
        guard copy.nextByte == Ascii.colon else { return nil }
        copy.offset += 1
        copy.atLineStart = false
        self = copy
        return number
    }

    /// `first .. last ]` behind a `[`. Moves behind the `]`.
    mutating func scanRange() -> (first: Range<Int>, last: Range<Int>)? {
        var copy = self
        copy.skipBlanks()
        guard let first = copy.scanInteger() else { return nil }
        copy.skipBlanks()
        guard copy.nextByte == Ascii.dot, copy.byte(at: copy.offset + 1) == Ascii.dot else { return nil }
        copy.offset += 2
        copy.skipBlanks()
        guard let last = copy.scanInteger() else { return nil }
        copy.skipBlanks()
        guard copy.nextByte == Ascii.closeBracket else { return nil }
        copy.offset += 1
        self = copy
        return (first, last)
    }

    /// The run of characters a name is read from: up to a blank or a special character.
    mutating func scanNameRun() -> Range<Int> {
        let start = offset
        skipWord()
        return start..<offset
    }

    /// The name behind a `$`: the longest run of name characters; `.` only behind `SPEECHLY`.
    mutating func scanVariableName() -> Range<Int> {
        let start = offset
        while let byte = nextByte, Ascii.isName(byte) { offset += 1 }
        if bytes[start..<offset].elementsEqual("SPEECHLY".utf8), nextByte == Ascii.dot,
            let following = byte(at: offset + 1), Ascii.isName(following)
        {
            offset += 1
            while let byte = nextByte, Ascii.isName(byte) { offset += 1 }
        }
        while offset > start, bytes[offset - 1] == Ascii.hyphen { offset -= 1 }
        return start..<offset
    }

    private mutating func scanInteger() -> Range<Int>? {
        let start = offset
        if nextByte == Ascii.hyphen { offset += 1 }
        let digits = offset
        while let byte = nextByte, Ascii.isDigit(byte) { offset += 1 }
        return offset > digits ? start..<offset : nil
    }

    private mutating func skipWord() {
        while let byte = nextByte, !Ascii.isSpecial(byte), byte != Ascii.newline, blankLength(at: offset) == nil {
            if byte == Ascii.bang, self.byte(at: offset + 1) == Ascii.openBracket { break }
            offset += 1
        }
    }

    private mutating func skipBlanksAndComments() {
        while true {
            skipBlanks()
            guard atLineStart, allowsComments, nextByte == Ascii.hash else { return }
            while let byte = nextByte, byte != Ascii.newline { offset += 1 }
            guard nextByte != nil else { return }
            offset += 1
        }
    }

    /// Length in bytes of the white space at an offset: ASCII blanks, a carriage return, a no-break space.
    private func blankLength(at offset: Int) -> Int? {
        guard let first = byte(at: offset) else { return nil }
        switch first {
        case Ascii.blank, Ascii.tab, Ascii.carriageReturn, 0x0B, 0x0C: return 1
        case 0xC2 where byte(at: offset + 1) == 0xA0: return 2
        default: return nil
        }
    }
}
