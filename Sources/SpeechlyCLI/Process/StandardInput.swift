import Foundation

/// Standard input, a line at a time.
struct StandardInput {
    /// The longest line in bytes.
    let limit: Int
    var descriptor = STDIN_FILENO
    private var buffer: [UInt8] = []
    private var position = 0
    private var lineNumber = 0
    private var isAtEnd = false

    init(limit: Int) { self.limit = limit }

    /// The next line without its end; nil after the last one. Blocks until there is one.
    mutating func readLine() throws(CommandFailure) -> String? {
        lineNumber += 1
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = try text(position..<end)
                position = end + 1
                return line
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return try text(position..<buffer.count)
            }
            // A line that is too long is not read whole.
            if buffer.count - position > limit + 1 { throw tooLong }
            buffer.removeSubrange(..<position)
            position = 0
            searched = buffer.count
            try fill()
        }
    }

    private var tooLong: CommandFailure {
        CommandFailure("standard input", "line \(lineNumber) has more than \(limit) bytes, the longest a text may be")
    }

    private func text(_ range: Range<Int>) throws(CommandFailure) -> String {
        var bytes = buffer[range]
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.count <= limit else { throw tooLong }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func fill() throws(CommandFailure) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return buffer.append(contentsOf: chunk[..<count]) }
            if count == 0 { return isAtEnd = true }
            if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = Foundation.poll(&poll, 1, -1)
            } else if errno != EINTR {
                throw CommandFailure("standard input", String(cString: strerror(errno)))
            }
        }
    }
}
