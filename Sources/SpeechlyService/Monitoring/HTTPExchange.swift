import Foundation

/// One request and its answer in HTTP/1.0, on a socket that does not block.
struct HTTPExchange {
    private let socket: Int32
    private let deadline: ContinuousClock.Instant
    private let limit: Int

    /// - Parameters:
    ///   - deadline: when the peer has had its time.
    ///   - limit: most bytes of a request's head.
    init(_ socket: Int32, deadline: ContinuousClock.Instant, limit: Int) {
        self.socket = socket
        self.deadline = deadline
        self.limit = limit
    }

    /// Reads the request, and writes what `text` gives if it asks for the metrics.
    func answer(_ text: () -> String) {
        guard let head = readHead() else { return }
        let (status, body) = Self.response(to: head, text)
        var answer = "HTTP/1.0 \(status)\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
        answer += "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        write(Array((head.hasPrefix("HEAD ") ? answer : answer + body).utf8))
        shutdown(socket, Int32(SHUT_WR))
        // What the peer still sends is read, because closing ahead of it would reset the connection.
        var rest = [UInt8](repeating: 0, count: 1_024)
        var total = 0
        while total < limit, wait(for: POLLIN) {
            let count = recv(socket, &rest, rest.count, 0)
            if count <= 0 { break }
            total += count
        }
    }

    /// The status line's end and the body.
    static func response(to head: String, _ text: () -> String) -> (status: String, body: String) {
        let line = head.prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
            return ("400 Bad Request", "this is HTTP: GET /metrics\n")
        }
        guard words[0] == "GET" || words[0] == "HEAD" else {
            return ("405 Method Not Allowed", "only GET is answered here\n")
        }
        guard words[1].prefix(while: { $0 != "?" }) == "/metrics" else {
            return ("404 Not Found", "only /metrics is here\n")
        }
        return ("200 OK", text())
    }

    /// The request up to the empty line; nil if the peer goes, waits or talks too long.
    private func readHead() -> String? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1_024)
        while bytes.count <= limit, wait(for: POLLIN) {
            let count = recv(socket, &part, part.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += part.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            if text.unicodeScalars.contains("\n"), text.contains("\r\n\r\n") || text.contains("\n\n") { return text }
            // A first line that is none needs no end.
            let isHTTP = ["GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI"].contains(text.prefix(4))
            if bytes.count >= 4, !isHTTP { return text }
        }
        return nil
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, wait(for: POLLOUT) {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether the socket is ready before the deadline.
    private func wait(for events: Int32) -> Bool {
        let left = deadline - .now
        guard left > .zero else { return false }
        var poll = pollfd(fd: socket, events: Int16(events), revents: 0)
        return Foundation.poll(&poll, 1, Int32(clamping: Int(left.inSeconds * 1000) + 1)) > 0
    }

    /// Waits until a socket can be read; false when the other descriptor says that it is over.
    static func waitForReading(_ socket: Int32, or stopped: Int32) -> Bool {
        while true {
            var list = [
                pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&list, 2, -1)
            if count < 0, errno == EINTR { continue }
            return count > 0 && list[1].revents == 0
        }
    }
}
