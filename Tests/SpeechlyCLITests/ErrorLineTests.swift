import XCTest

@testable import SpeechlyCLI

final class ErrorLineTests: XCTestCase {
    func testIsOneLineWhateverTheReasonHolds() {
        XCTAssertEqual(errorLine("a.wav", "No such file or directory"), "speechly: a.wav: No such file or directory")
        XCTAssertEqual(errorLine("", "no command"), "speechly: no command")
        XCTAssertEqual(errorLine("x", "one\r\ntwo\nthree"), "speechly: x: one two three")
    }

    func testSuggestsOnlyNearWords() {
        XCTAssertEqual(closest(to: "transcribe", among: ["transcribe", "serve"]), "transcribe")
        XCTAssertEqual(closest(to: "trancribe", among: ["transcribe", "serve"]), "transcribe")
        XCTAssertNil(closest(to: "record", among: ["transcribe", "serve"]))
    }
}
