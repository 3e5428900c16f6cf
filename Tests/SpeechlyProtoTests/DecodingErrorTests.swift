import SpeechlyProto
import XCTest

/// What is wrong, in which message, at which byte.
final class DecodingErrorTests: XCTestCase {
    private let response = "speechly.slu.v1.SLUResponse"
    private let transcript = "speechly.slu.v1.SLUTranscript"
    private let words = "speechly.slu.v1.SLUTentativeTranscript"

    func testTruncated() throws {
        try check("10", .truncated, response, 1)
        try check("0a", .truncated, response, 1)
        try check("10 ffffff", .truncated, response, 4)
        try check("10 07 ff", .truncated, response, 3)
        try check("a1 06 01020304050607", .truncated, response, 9)
        try check("a5 06 010203", .truncated, response, 5)
        try check("1a 01 10", .truncated, transcript, 3)
        try check("1a 01 10 05 10 01", .truncated, transcript, 3)
    }

    func testMalformedVarints() throws {
        try check("10 ffffffffffffffffffff01", .malformedVarint, response, 1)
        try check("808080808001", .malformedVarint, response, 0)
        try check("3a 0e 12 0c 10 80808080808080808080 01", .malformedVarint, transcript, 5)
        try check("a0 06 ffffffffffffffffffff01", .malformedVarint, response, 2)
    }

    func testInvalidUTF8IsFoundAtItsByte() throws {
        try check("0a 02 c328", .invalidUTF8, response, 2)
        try check("0a 05 61 62 63 ff 64", .invalidUTF8, response, 5)
        try check("0a 06 e697a5 e69c 61", .invalidUTF8, response, 5)
        try check("0a 03 eda080", .invalidUTF8, response, 2)
        try check("0a 02 c0af", .invalidUTF8, response, 2)
        try check("0a 04 f4908080", .invalidUTF8, response, 2)
        try check("0a 04 616161e2", .invalidUTF8, response, 5)
        try check("0a 14 6161616161616161616161616161616161616180", .invalidUTF8, response, 21)
        try check("3a 08 0a 01 61 12 03 0a 01 80", .invalidUTF8, transcript, 9)
    }

    func testWireTypesThatDoNotExist() throws {
        try check("0e 01", .invalidWireType(6), response, 0)
        try check("10 01 0f 01", .invalidWireType(7), response, 2)
        try check("a6 06", .invalidWireType(6), response, 0)
    }

    func testFieldNumbers() throws {
        try check("00 01", .invalidFieldNumber(0), response, 0)
        try check("10 01 02 01 41", .invalidFieldNumber(0), response, 2)
        try check("8000 01", .invalidFieldNumber(0), response, 0)
        try check("f8ffffff1f 01", .invalidFieldNumber(0x3FFF_FFFF), response, 0)
        // The largest there is.
        XCTAssertEqual(try SLUResponse(serializedBytes: bytes(hex: "f8ffffff0f 01")), SLUResponse())
    }

    func testLengths() throws {
        try check("0a 7f 41", .lengthBeyondEnd(length: 127, available: 1), response, 1)
        try check("0a ffffffff07 41", .lengthBeyondEnd(length: 0x7FFF_FFFF, available: 1), response, 1)
        try check("0a ffffffffffffffff7f", .lengthBeyondEnd(length: 0x7FFF_FFFF_FFFF_FFFF, available: 0), response, 1)
        try check("0a ffffffffffffffffff01", .lengthBeyondEnd(length: .max, available: 0), response, 1)
        try check("a206 05 41", .lengthBeyondEnd(length: 5, available: 1), response, 2)
        try check("1a 02 0a 05 4142434445", .lengthBeyondEnd(length: 5, available: 0), transcript, 3)
        try check("3a 04 12 02 0a 01 61", .lengthBeyondEnd(length: 1, available: 0), transcript, 5)
    }

    func testGroups() throws {
        try check("a406", .unmatchedEndGroup(fieldNumber: 100), response, 0)
        try check("a306 0801 b406", .unmatchedEndGroup(fieldNumber: 102), response, 4)
        try check("10 01 a306 0801", .unterminatedGroup(fieldNumber: 100), response, 2)
        try check("1a 02 a306 a406", .unterminatedGroup(fieldNumber: 100), transcript, 2)
        let group = "a306 08 01 11 0102030405060708 1a 02 4142 25 01020304 2b 2c a406 10 07"
        XCTAssertEqual(try SLUResponse(serializedBytes: bytes(hex: group)), SLUResponse(segmentId: 7))
    }

    func testDepth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            [UInt8](repeating: 0x7B, count: depth) + [UInt8](repeating: 0x7C, count: depth)
        }
        XCTAssertEqual(ProtoReader.maximumDepth, 100)
        XCTAssertEqual(try SLUResponse(serializedBytes: nested(100)), SLUResponse())
        try check(nested(101), .nestingTooDeep, response, 100)
        try check(nested(200_000), .nestingTooDeep, response, 100)
        // Inside a submessage there is a level less.
        let inside = TreeEncoder.varint(UInt64(nested(100).count))
        try check([0x1A] + inside + nested(100), .nestingTooDeep, transcript, 1 + inside.count + 99)
    }

    func testEveryPrefixOfAMessageIsAnErrorOrAMessage() throws {
        let word = SLUTranscript(word: "größe", index: 300, startTime: -1, endTime: 70_000)
        let content = SLUTentativeTranscript(tentativeTranscript: "größe größe", tentativeWords: [word, word])
        let message = SLUResponse(
            audioContext: "0b7c35e6-3d1f-4a8e-9d0e-000000000000", segmentId: 3,
            streamingResponse: .tentativeTranscript(content)
        ).serializedBytes()
        var complete: [Int] = []
        for end in 0...message.count {
            do {
                _ = try SLUResponse(serializedBytes: Array(message[..<end]))
                complete.append(end)
            } catch {
                XCTAssertLessThanOrEqual(error.byteOffset, end)
            }
        }
        XCTAssertEqual(complete, [0, 38, 40, message.count])
    }

    func testDescriptionSaysMessageByteAndCause() throws {
        let error = ProtoError(kind: .lengthBeyondEnd(length: 9, available: 2), messageName: response, byteOffset: 4)
        XCTAssertEqual(
            "\(error)",
            "cannot decode speechly.slu.v1.SLUResponse: byte 4: a length of 9 bytes where only 2 are left"
        )
        let kinds: [ProtoError.Kind] = [
            .truncated, .malformedVarint, .invalidUTF8, .invalidWireType(6), .invalidFieldNumber(0),
            .unmatchedEndGroup(fieldNumber: 1), .unterminatedGroup(fieldNumber: 1), .nestingTooDeep,
        ]
        XCTAssertEqual(Set(kinds.map(\.description)).count, kinds.count)
    }

    private func check(
        _ hex: String, _ kind: ProtoError.Kind, _ name: String, _ offset: Int, line: UInt = #line
    ) throws {
        try check(bytes(hex: hex), kind, name, offset, line: line)
    }

    private func check(
        _ bytes: [UInt8], _ kind: ProtoError.Kind, _ name: String, _ offset: Int, line: UInt = #line
    ) throws {
        XCTAssertThrowsError(try SLUResponse(serializedBytes: bytes), line: line) { error in
            let expected = ProtoError(kind: kind, messageName: name, byteOffset: offset)
            XCTAssertEqual(error as? ProtoError, expected, line: line)
        }
    }
}
