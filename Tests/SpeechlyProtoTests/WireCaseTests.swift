import SpeechlyProto
import TestSupport
import XCTest

/// Holds the codec to bytes and verdicts of an independent implementation.
final class WireCaseTests: XCTestCase {
    func testDecodesToTheValuesAndEncodesToTheSameBytes() throws {
        let json = JSONTree(schema: try Schema())
        let cases = try TestCases.cases("wire.json")
        for item in cases {
            let (name, bytes) = try Self.input(item)
            let message = try messageType(name).init(serializedBytes: bytes)
            XCTAssertEqual(Tree(message), try json.message(try XCTUnwrap(item["json"]), as: name), "\(item)")
            XCTAssertEqual(message.serializedBytes(), bytes, "\(item)")
        }
        XCTAssertEqual(cases.count, 180)
    }

    func testMalformedInputGetsTheSameVerdict() throws {
        let json = JSONTree(schema: try Schema())
        let cases = try TestCases.cases("wire-malformed.json")
        var errors = 0
        for item in cases {
            let (name, bytes) = try Self.input(item)
            let type = try messageType(name)
            if item["error"] as? Bool == true {
                XCTAssertThrowsError(try type.init(serializedBytes: bytes), "\(item)") { error in
                    errors += 1
                    guard let error = error as? ProtoError else { return XCTFail("\(error)") }
                    XCTAssertTrue(messageTypes.contains { $0.messageName == error.messageName }, "\(error)")
                    XCTAssertTrue((0...bytes.count).contains(error.byteOffset), "\(error) \(item)")
                }
                continue
            }
            let expected = try json.message(try XCTUnwrap(item["json"]), as: name)
            XCTAssertEqual(Tree(try type.init(serializedBytes: bytes)), expected, "\(item)")
        }
        XCTAssertEqual(cases.count, 140)
        XCTAssertEqual(errors, 83)
    }

    private static func input(_ item: [String: Any]) throws -> (String, [UInt8]) {
        let name = try XCTUnwrap(item["message"] as? String)
        return (name, try bytes(hex: try XCTUnwrap(item["hex"] as? String)))
    }
}

/// The bytes of a hexadecimal text; blanks are ignored.
func bytes(hex text: String) throws -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: try XCTUnwrap(digits.count % 2 == 0 ? digits.count : nil), by: 2)
        .map { digits[$0] << 4 | digits[$0 + 1] }
}
