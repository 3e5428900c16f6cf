import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyService

/// Raw sockets against the endpoint: what Prometheus sends, and what it does not.
final class MetricsEndpointTests: XCTestCase {
    private func connect(_ port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        XCTAssertEqual(status, 0)
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func exchange(_ port: Int, _ request: [UInt8]) throws -> String {
        let descriptor = try connect(port)
        defer { close(descriptor) }
        _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            if count <= 0 { break }
            answer += part.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }

    private func get(_ port: Int) throws -> String { try exchange(port, Array("GET /metrics HTTP/1.1\r\n\r\n".utf8)) }

    func testAnswersWhatPrometheusAsks() throws {
        let endpoint = try MetricsEndpoint(port: 0) { "a 1\n" }
        XCTAssertNotEqual(endpoint.port, 0)
        let answer = try get(endpoint.port)
        XCTAssertTrue(answer.hasPrefix("HTTP/1.0 200 OK\r\n"), answer)
        XCTAssertTrue(answer.contains("Content-Type: text/plain; version=0.0.4"), answer)
        XCTAssertTrue(answer.contains("Content-Length: 4\r\n"), answer)
        XCTAssertTrue(answer.hasSuffix("\r\n\r\na 1\n"), answer)
        endpoint.stop()
    }

    func testEveryOtherRequestHasItsStatus() throws {
        let endpoint = try MetricsEndpoint(port: 0) { "a 1\n" }
        let cases = [
            ("GET / HTTP/1.1\r\n\r\n", "404"), ("GET /metricsx HTTP/1.0\r\n\r\n", "404"),
            ("POST /metrics HTTP/1.1\r\n\r\n", "405"), ("GET /metrics\r\n\r\n", "400"),
            ("GET metrics HTTP/1.1\r\n\r\n", "400"), ("GET /metrics?x=1 HTTP/1.1\nHost: x\n\n", "200"),
            ("HEAD /metrics HTTP/1.1\r\n\r\n", "200"), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"),
        ]
        for (request, status) in cases {
            let answer = try exchange(endpoint.port, Array(request.utf8))
            XCTAssertTrue(answer.hasPrefix("HTTP/1.0 \(status) "), "\(request): \(answer)")
        }
        endpoint.stop()
    }

    func testGarbageAndSilenceDoNotKeepOthersOut() throws {
        let endpoint = try MetricsEndpoint(port: 0) { String(repeating: "a 1\n", count: 500_000) }
        // One that says nothing, one that goes at once, one that asks and does not read.
        let silent = try connect(endpoint.port)
        close(try connect(endpoint.port))
        let deaf = try connect(endpoint.port)
        _ = Array("GET /metrics HTTP/1.1\r\n\r\n".utf8).withUnsafeBytes { send(deaf, $0.baseAddress, $0.count, 0) }
        var state: UInt64 = 3
        for _ in 0..<50 {
            let garbage = (0..<200).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            }
            _ = try exchange(endpoint.port, garbage)
        }
        // A head that never ends.
        _ = try exchange(endpoint.port, Array("GET /".utf8) + [UInt8](repeating: 0x61, count: 20_000))
        XCTAssertTrue(try get(endpoint.port).hasPrefix("HTTP/1.0 200 OK"))
        close(silent)
        close(deaf)
        endpoint.stop()
    }

    func testAPortInUseIsAnError() throws {
        let endpoint = try MetricsEndpoint(port: 0) { "" }
        XCTAssertThrowsError(try MetricsEndpoint(port: endpoint.port) { "" }) { error in
            XCTAssertTrue("\(error)".contains("127.0.0.1:\(endpoint.port)"), "\(error)")
            XCTAssertTrue("\(error)".contains("in use"), "\(error)")
        }
        endpoint.stop()
    }
}
