import Foundation

/// Standard output or standard error, written whole lines at a time.
struct StandardStream: Sendable {
    let descriptor: Int32

    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    /// Whether a person is likely to be looking.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all of the text, or throws what the system said, such as a pipe whose reader has left.
    func write(_ text: String) throws(CommandFailure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Foundation.poll(&poll, 1, -1)
            } else if errno != EINTR {
                let name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
                let reason = errno
                throw CommandFailure(
                    name, String(cString: strerror(reason)), isOutputGone: true, isQuiet: reason == EPIPE)
            }
        }
    }

    func writeLine(_ line: String) throws(CommandFailure) { try write(line + "\n") }
}
