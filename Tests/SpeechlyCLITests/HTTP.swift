import Foundation
import XCTest

/// As much of HTTP as it takes to read the metrics, without a proxy in between.
enum HTTP {
    /// The body of the answer of a server on loopback.
    static func get(_ url: URL) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: url.port ?? 80)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        XCTAssertEqual(status, 0, "\(url): \(String(cString: strerror(errno)))")
        let request = Array("GET \(url.path) HTTP/1.0\r\n\r\n".utf8)
        _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &part, part.count, 0), count > 0 { answer += part.prefix(count) }
        let text = String(decoding: answer, as: UTF8.self)
        let end = try XCTUnwrap(text.range(of: "\r\n\r\n"), text)
        XCTAssertTrue(text.hasPrefix("HTTP/1.0 200 "), text)
        return String(text[end.upperBound...])
    }
}
