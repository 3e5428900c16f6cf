import Foundation
import XCTest

@testable import SpeechlyCLI

final class JSONTests: XCTestCase {
    func testKeepsTheOrderOfKeysAndWritesOneLine() {
        let value: JSON = ["event": "segment", "b": 1, "a": [true, false, .number(1.5)], "empty": [:], "none": []]
        XCTAssertEqual(value.text, #"{"event":"segment","b":1,"a":[true,false,1.5],"empty":{},"none":[]}"#)
    }

    func testEscapesWhatWouldBreakALineOrAReader() throws {
        let string = "quote \" backslash \\ newline \n tab \t bell \u{7} zero \u{0} separator \u{2028} slash / é 東 🙂"
        let text = JSON.string(string).text
        XCTAssertFalse(text.contains("\n"))
        XCTAssertTrue(text.contains("é 東 🙂"))
        XCTAssertTrue(text.contains(#"slash / "#))
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        XCTAssertEqual(read as? String, string)
    }

    func testWritesNumbersAnyReaderTakes() throws {
        for number in [0, -1, 1.5, 1e-9, 1e300, .infinity, .nan] as [Double] {
            let text = JSON.array([.number(number)]).text
            XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(text.utf8)), text)
        }
        XCTAssertEqual(JSON.integer(.min).text, "-9223372036854775808")
    }
}
