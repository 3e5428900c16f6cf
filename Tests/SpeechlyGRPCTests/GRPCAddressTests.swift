import SpeechlyGRPC
import XCTest

final class GRPCAddressTests: XCTestCase {
    private typealias Endpoint = GRPCAddress.Endpoint

    func testTCPAddresses() throws {
        let table: [(String, [Endpoint], Bool, String)] = [
            ("grpc://host", [Endpoint(host: "host", port: 80)], false, "grpc://host:80"),
            (
                "grpc+tls://api.speechly.com", [Endpoint(host: "api.speechly.com", port: 443)], true,
                "grpc+tls://api.speechly.com:443"
            ),
            ("GRPC+TLS://a.b/", [Endpoint(host: "a.b", port: 443)], true, "grpc+tls://a.b:443"),
            ("grpc://127.0.0.1:0", [Endpoint(host: "127.0.0.1", port: 0)], false, "grpc://127.0.0.1:0"),
            ("grpc://[::1]:50051", [Endpoint(host: "::1", port: 50051)], false, "grpc://[::1]:50051"),
            ("grpc://[::1]", [Endpoint(host: "::1", port: 80)], false, "grpc://[::1]:80"),
            ("grpc://h:65535", [Endpoint(host: "h", port: 65535)], false, "grpc://h:65535"),
            (
                "grpc+tls://one:1,two,[::2]:3",
                [Endpoint(host: "one", port: 1), Endpoint(host: "two", port: 443), Endpoint(host: "::2", port: 3)],
                true,
                "grpc+tls://one:1,two:443,[::2]:3"
            ),
        ]
        for (text, endpoints, secure, description) in table {
            let address = try GRPCAddress(addr: text)
            XCTAssertEqual(address.endpoints, endpoints, text)
            XCTAssertEqual(address.host, endpoints[0].host, text)
            XCTAssertEqual(address.port, endpoints[0].port, text)
            XCTAssertEqual(address.secure, secure, text)
            XCTAssertNil(address.unixPath, text)
            XCTAssertEqual(address.description, description, text)
            XCTAssertEqual(try GRPCAddress(addr: address.description), address, text)
        }
    }

    func testUnixAddresses() throws {
        let address = try GRPCAddress(addr: "grpc+unix:///run/a b,c:d?.sock")
        XCTAssertEqual(address.unixPath, "/run/a b,c:d?.sock")
        XCTAssertEqual(address.endpoints, [])
        XCTAssertFalse(address.secure)
        XCTAssertEqual(try GRPCAddress(addr: address.description), address)
        XCTAssertEqual(try GRPCAddress(unixPath: "/run/a b,c:d?.sock"), address)
        let longest = "/" + String(repeating: "x", count: 106)
        XCTAssertEqual(try GRPCAddress(addr: "grpc+unix://" + longest).unixPath, longest)
    }

    func testWhatIsNoAddress() {
        let long = "/" + String(repeating: "x", count: 107)
        let table: [(String, GRPCAddress.ParseError)] = [
            ("", .unsupportedURL),
            ("host", .unsupportedURL),
            ("host:80", .unsupportedScheme),
            ("http://host", .unsupportedScheme),
            ("://host", .unsupportedScheme),
            ("grpc:host", .unsupportedURL),
            ("grpc:/host", .unsupportedURL),
            ("grpc://", .missingHost),
            ("grpc:///", .missingHost),
            ("grpc://:80", .missingHost),
            ("grpc://a,", .missingHost),
            ("grpc://a,,b", .missingHost),
            ("grpc://user@host", .unsupportedURL),
            ("grpc://host/path", .unsupportedURL),
            ("grpc://host?x=1", .unsupportedURL),
            ("grpc://host#x", .unsupportedURL),
            ("grpc://ho st", .unsupportedURL),
            ("grpc://::1", .invalidHost("::1")),
            ("grpc://[::1", .invalidHost("[::1")),
            ("grpc://[nonsense]:1", .invalidHost("nonsense")),
            ("grpc://[::1]x", .invalidHost("[::1]x")),
            ("grpc://bücher", .invalidHost("bücher")),
            ("grpc://host:", .invalidPort("")),
            ("grpc://host:x", .invalidPort("x")),
            ("grpc://host:-1", .invalidPort("-1")),
            ("grpc://host:+1", .invalidPort("+1")),
            ("grpc://host:65536", .invalidPort("65536")),
            ("grpc+unix://", .missingPath),
            ("grpc+unix:///", .missingPath),
            ("grpc+unix://host/path", .missingPath),
            ("grpc+unix:relative", .missingPath),
            (
                "grpc+unix:///a\0b",
                .invalidPath(path: "/a\0b", reason: "it has a NUL character, which no path or name has")
            ),
            ("grpc+unix://" + long, .pathTooLong(path: long, bytes: 108)),
        ]
        for (text, expected) in table {
            XCTAssertThrowsError(try GRPCAddress(addr: text), text) { error in
                XCTAssertEqual(error as? GRPCAddress.ParseError, expected, text)
                XCTAssertFalse("\(error)".isEmpty)
                XCTAssertEqual(error.localizedDescription, "\(error)")
            }
        }
    }

    func testFromParts() {
        let address = GRPCAddress(host: "[::1]", port: 7, secure: true)
        XCTAssertEqual(address.host, "::1")
        XCTAssertEqual(address.description, "grpc+tls://[::1]:7")
    }
}
