import Foundation
import TestSupport
import XCTest

@testable import SpeechlyService

final class TokenKeyTests: XCTestCase {
    private let secret = String(repeating: "k", count: 32)
    private var folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func file(_ text: String, mode: Int) throws -> String {
        let path = folder.appendingPathComponent(UUID().uuidString).path
        XCTAssertTrue(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        return path
    }

    func testAFileOfTheOwnerAloneIsTaken() throws {
        for mode in [0o600, 0o400] {
            XCTAssertEqual(
                try TokenKey(contentsOfFile: file(" \(secret)\n", mode: mode)).bytes, Array(secret.utf8))
        }
    }

    func testAFileThatIsOpenToOthersIsRefused() throws {
        for mode in [0o640, 0o604, 0o644, 0o620, 0o610, 0o601] {
            let path = try file(secret, mode: mode)
            XCTAssertThrowsError(try TokenKey(contentsOfFile: path)) { error in
                XCTAssertEqual(error as? TokenKeyError, .open(path: path, mode: UInt32(mode)))
                XCTAssertTrue("\(error)".contains("chmod 600"), "\(error)")
                XCTAssertFalse("\(error)".contains(secret))
            }
        }
    }

    func testWhatIsNoKeyIsRefused() throws {
        for length in [0, 1, 31, 4_097, 100_000] {
            let path = try file(String(repeating: "k", count: length), mode: 0o600)
            XCTAssertThrowsError(try TokenKey(contentsOfFile: path)) { error in
                guard case .wrongLength(path, _)? = error as? TokenKeyError else { return XCTFail("\(error)") }
            }
        }
        for path in ["/nowhere/key", folder.path] {
            XCTAssertThrowsError(try TokenKey(contentsOfFile: path)) { error in
                guard case .unreadable(path, _)? = error as? TokenKeyError else { return XCTFail("\(error)") }
            }
        }
        XCTAssertThrowsError(try TokenKey(text: "   \n", origin: "VARIABLE")) { error in
            XCTAssertTrue("\(error)".contains("VARIABLE has 0 bytes"), "\(error)")
        }
    }

    func testAPathIsWholeOrRefused() throws {
        XCTAssertThrowsError(try TokenKey(contentsOfFile: "/dev/null\0x")) {
            XCTAssertTrue("\($0)".contains("NUL"), "\($0)")
        }
        XCTAssertThrowsError(try ServiceConfiguration(contentsOfFile: TestCases.url("speech/repos.sal").path + "\0x")) {
            XCTAssertTrue("\($0)".contains("NUL"), "\($0)")
        }
        XCTAssertThrowsError(try ApplicationFolder(path: "/tmp\0x")) { XCTAssertTrue("\($0)".contains("NUL"), "\($0)") }
    }

    func testAKeyIsNotPrinted() throws {
        let key = try TokenKey(text: secret)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            XCTAssertFalse(text.contains("k, k") || text.contains("107"), text)
        }
        var configuration = ServiceConfiguration()
        configuration.tokenKey = key
        var all = ""
        dump(configuration, to: &all)
        XCTAssertFalse(all.contains("107"), all)
    }

    func testServicesWithOneKeyAcceptEachOthersTokens() throws {
        let (one, two) = (try TokenAuthority(TokenKey(text: secret)), try TokenAuthority(TokenKey(text: secret)))
        let token = try one.issue(.application(ServiceHarness.appId), deviceId: ServiceHarness.deviceId).token
        XCTAssertEqual(try two.verify(token).deviceId, ServiceHarness.deviceId)
        let other = try TokenAuthority(TokenKey(text: secret + "x"))
        XCTAssertThrowsError(try other.verify(token)) { XCTAssertEqual($0 as? TokenError, .forged) }
        XCTAssertThrowsError(try TokenAuthority(nil).verify(token)) { XCTAssertEqual($0 as? TokenError, .forged) }
    }
}
