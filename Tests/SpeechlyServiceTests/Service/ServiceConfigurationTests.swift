import Speechly
import SpeechlyService
import TestSupport
import XCTest

final class ServiceConfigurationTests: XCTestCase {
    func testFilesThatCannotBeRead() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let binary = folder.appendingPathComponent("binary.sal")
        try Data([0x2A, 0xFF, 0xFE]).write(to: binary)
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: binary.path)) { error in
            XCTAssertEqual("\(error)", "\(binary.path):1:2:ERROR:not UTF-8 text")
        }
        for path in [folder.path, folder.appendingPathComponent("missing.sal").path] {
            XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: path)) { error in
                XCTAssertTrue(error is ServiceConfigurationError, "\(error)")
                XCTAssertTrue("\(error)".contains(path), "\(error)")
            }
        }
    }

    func testANameThatIsNoneOpensNoOtherFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("app.sal").path
        try Data("*turn_on lamp".utf8).write(to: URL(fileURLWithPath: file))
        let problem = "it has a NUL character, which no path or name has"
        for path in [file + "\0zzz", folder.path + "\0zzz"] {
            let expected = ServiceConfigurationError.unreadable(path: path, reason: problem)
            XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: path)) {
                XCTAssertEqual($0 as? ServiceConfigurationError, expected)
            }
            XCTAssertThrowsError(try ServiceApplication(id: UUID(), contentsOfFile: path)) {
                XCTAssertEqual($0 as? ServiceConfigurationError, expected)
            }
            XCTAssertThrowsError(try TokenKey(contentsOfFile: path)) {
                XCTAssertEqual($0 as? TokenKeyError, .unreadable(path: path, reason: problem))
            }
            XCTAssertThrowsError(try ApplicationFolder(path: path)) {
                XCTAssertEqual(
                    "\($0)", "\(path.replacingOccurrences(of: "\0", with: "\\0")): \(problem)")
            }
            XCTAssertEqual(ApplicationFolder.fingerprint(ofConfiguration: path), "missing")
        }
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: "")) {
            XCTAssertEqual("\($0)", "cannot read the configuration '': the name is empty")
        }
        XCTAssertThrowsError(try ApplicationFolder(path: "")) { XCTAssertEqual("\($0)", "'': the name is empty") }
    }

    func testErrorsHaveTheirPlace() throws {
        XCTAssertThrowsError(try ServiceConfiguration(sal: "*a show {me\n*b [x", file: "app.sal")) { error in
            XCTAssertTrue("\(error)".hasPrefix("app.sal:1:"), "\(error)")
        }
    }

    func testALanguageTheRecognizerDoesNotKnow() throws {
        var configuration = try SpeechCase.configuration()
        configuration.languageCode = "fi-FI"
        XCTAssertThrowsError(try EmbeddedService(configuration: configuration)) { error in
            XCTAssertEqual(error as? RecognizerError, .unsupportedLanguage("fi-FI"))
        }
    }

    func testSeveralAddresses() async throws {
        let service = try EmbeddedService(configuration: SpeechCase.configuration())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let addresses = try service.start(listen: [
            GRPCAddress(addr: "grpc://127.0.0.1:0"), GRPCAddress(unixPath: folder.appendingPathComponent("s").path),
        ])
        XCTAssertEqual(addresses.count, 2)
        XCTAssertGreaterThan(addresses[0].port, 0)
        for address in addresses {
            let identity = IdentityClient(channel: try Channel(address: address))
            let token = try await identity.authenticate(appId: UUID(), deviceId: UUID())
            XCTAssertFalse(token.tokenString.isEmpty)
        }
        XCTAssertThrowsError(try service.start(listen: addresses))
        await service.shutdown(grace: .seconds(5))
    }

    func testAnAddressInUseStartsNothing() throws {
        let configuration = try SpeechCase.configuration()
        let first = try EmbeddedService(configuration: configuration)
        let taken = try first.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0")])
        let second = try EmbeddedService(configuration: configuration)
        XCTAssertThrowsError(try second.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0")] + taken)) { error in
            XCTAssertEqual((error as? GRPCStatus)?.code, .unavailable, "\(error)")
        }
        first.kill()
    }
}
