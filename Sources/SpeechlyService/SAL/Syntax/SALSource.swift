/// The texts of a configuration in one space of byte offsets, and the way from an offset back to file,
/// line and column.
struct SALSource: Sendable {
    private enum Place {
        case exact(file: String)
        /// A text that is not in a file as it is: everything in it is shown at one offset.
        case shown(at: Int)
    }

    private struct Piece {
        var range: Range<Int>
        var place: Place
    }

    private(set) var bytes: [UInt8] = []
    private var pieces: [Piece] = []
    private var lineStarts: [Int] = []

    /// Larger texts are refused: no real configuration comes near, and offsets stay small.
    static let maximumSize = 16 << 20

    init() {}

    init(file: String, bytes: [UInt8]) {
        append(file: file, bytes: bytes)
    }

    /// Adds a file. Returns where its bytes are, without a byte order mark.
    @discardableResult
    mutating func append(file: String, bytes: [UInt8]) -> Range<Int> {
        let range = append(bytes, .exact(file: file))
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? range.lowerBound + 3..<range.upperBound : range
    }

    /// Adds a text that is made from something at an offset, which messages about it are to show.
    mutating func append(_ bytes: [UInt8], shownAt offset: Int) -> Range<Int> {
        append(bytes, .shown(at: offset))
    }

    private mutating func append(_ added: [UInt8], _ place: Place) -> Range<Int> {
        // No word and no line goes from one text to the next.
        if !pieces.isEmpty { bytes.append(Ascii.newline) }
        let range = bytes.count..<bytes.count + added.count
        bytes += added
        pieces.append(Piece(range: range, place: place))
        lineStarts.append(range.lowerBound)
        // A text that is too large is never looked at.
        if range.upperBound <= Self.maximumSize {
            for offset in range where bytes[offset] == Ascii.newline { lineStarts.append(offset + 1) }
        }
        return range
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Line number from 1.
    func line(at offset: Int) -> Int {
        let place = resolve(offset)
        return lineIndex(at: place.offset) - lineIndex(at: place.piece.lowerBound) + 1
    }

    /// The offset in a file for an offset in any text.
    func shownOffset(_ offset: Int) -> Int { resolve(offset).offset }

    func diagnostic(
        _ level: SALDiagnostic.Level, at offset: Int, _ message: String, hint: String? = nil
    ) -> SALDiagnostic {
        let (file, piece, offset) = resolve(offset)
        let index = lineIndex(at: offset)
        let firstIndex = lineIndex(at: piece.lowerBound)
        var start = max(lineStarts[index], piece.lowerBound)
        if index == firstIndex, bytes[piece].starts(with: [0xEF, 0xBB, 0xBF]) { start = min(start + 3, offset) }
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] - 1 : bytes.count
        end = max(min(end, piece.upperBound), offset)
        if end > start, bytes[end - 1] == Ascii.carriageReturn, end > offset { end -= 1 }
        let before = text(start..<offset)
        let column = before.count + 1
        end = min(end, offset + 240)
        // A window of the line: whole lines may be megabytes.
        let shownBefore = String(before.suffix(60))
        let shownAfter = String(text(offset..<boundary(near: end)).prefix(60))
        let clipped = shownBefore.count < before.count
        return SALDiagnostic(
            file: file, line: index - firstIndex + 1, column: column, level: level, message: message, hint: hint,
            sourceLine: (clipped ? "…" : "") + shownBefore + shownAfter,
            caretOffset: shownBefore.count + (clipped ? 1 : 0)
        )
    }

    private func resolve(_ offset: Int) -> (file: String, piece: Range<Int>, offset: Int) {
        var offset = max(offset, 0)
        // A text stands behind the one it is shown in: this ends.
        while true {
            guard let piece = piece(at: offset) else { return ("", 0..<0, 0) }
            switch piece.place {
            case .exact(let file): return (file, piece.range, min(offset, piece.range.upperBound))
            case .shown(let place): offset = min(place, max(piece.range.lowerBound - 1, 0))
            }
        }
    }

    private func piece(at offset: Int) -> Piece? {
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].range.lowerBound <= offset { low = middle } else { high = middle }
        }
        return low < pieces.count ? pieces[low] : nil
    }

    private func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The next offset that does not cut a UTF-8 sequence.
    private func boundary(near offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        return offset
    }
}
