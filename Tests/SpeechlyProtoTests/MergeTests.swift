import SpeechlyProto
import XCTest

/// What happens to fields that come again, in another type, or that nobody knows.
final class MergeTests: XCTestCase {
    func testTheLastScalarWins() throws {
        XCTAssertEqual(try decode("10 01 10 02"), SLUResponse(segmentId: 2))
        XCTAssertEqual(try decode("10 01 10 00"), SLUResponse())
        XCTAssertEqual(try decode("0a 01 41 0a 01 42"), SLUResponse(audioContext: "B"))
        XCTAssertEqual(try decode("0a 01 41 0a 00"), SLUResponse())
    }

    func testTheLastMemberOfAOneofWins() throws {
        XCTAssertEqual(try decode("52 00 5a 00"), SLUResponse(streamingResponse: .finished(SLUFinished())))
        // A member that comes again after another one starts anew.
        XCTAssertEqual(
            try decode("1a 03 0a 01 41 52 00 1a 02 10 05"),
            SLUResponse(streamingResponse: .transcript(SLUTranscript(index: 5)))
        )
        XCTAssertEqual(
            try SLURequest(serializedBytes: bytes(hex: "1a 02 0102 1a 01 03")),
            SLURequest(streamingRequest: .audio([3]))
        )
    }

    func testTheSameMemberOfAOneofMerges() throws {
        let first = SLUTranscript(word: "A", index: 1)
        XCTAssertEqual(
            try decode("1a 03 0a 01 41 1a 02 10 05"),
            SLUResponse(streamingResponse: .transcript(SLUTranscript(word: "A", index: 5)))
        )
        XCTAssertEqual(
            try decode("3a 07 12 05 0a 01 41 10 01 3a 05 0a 01 42 12 00"),
            SLUResponse(
                streamingResponse: .tentativeTranscript(
                    SLUTentativeTranscript(tentativeTranscript: "B", tentativeWords: [first, SLUTranscript()])
                )
            )
        )
    }

    func testSubmessagesMerge() throws {
        XCTAssertEqual(
            try WLURequest(serializedBytes: bytes(hex: "1a 02 08 01 1a 02 10 05 1a 00")),
            WLURequest(referenceTime: ProtoTimestamp(seconds: 1, nanos: 5))
        )
        XCTAssertEqual(
            try decode("5a 05 12 03 0a 01 63 5a 05 12 03 12 01 6d"),
            SLUResponse(streamingResponse: .finished(SLUFinished(error: SLUError(code: "c", message: "m"))))
        )
    }

    func testUnknownFieldsAndOtherWireTypesAreSkipped() throws {
        let expected = SLUResponse(segmentId: 7)
        for unknown in ["a006 01", "a106 0102030405060708", "a506 01020304", "a206 03 616263", "a306 a406"] {
            XCTAssertEqual(try decode(unknown + "10 07"), expected, unknown)
        }
        for other in ["08 01", "09 0102030405060708", "0d 01020304", "0b 0c", "12 01 01", "15 01020304", "18 01"] {
            XCTAssertEqual(try decode(other + "10 07"), expected, other)
        }
    }

    func testIntegersAreCutToTheirSize() throws {
        XCTAssertEqual(try decode("10 ffffffff0f"), SLUResponse(segmentId: -1))
        XCTAssertEqual(try decode("10 ffffffffffffffffff7f"), SLUResponse(segmentId: -1))
        XCTAssertEqual(try decode("10 818080808080808000"), SLUResponse(segmentId: 1))
        XCTAssertEqual(
            try LoginResponse(serializedBytes: bytes(hex: "10 ffffffff1f")), LoginResponse(validForS: .max)
        )
    }

    func testTagsMayBeLongerThanNeeded() throws {
        XCTAssertEqual(try decode("8a00 01 41 9080808000 07"), SLUResponse(audioContext: "A", segmentId: 7))
    }

    func testEnumerationsKeepUnknownValues() throws {
        let event = try SLUEvent(serializedBytes: bytes(hex: "08 07"))
        XCTAssertEqual(event.event.rawValue, 7)
        XCTAssertEqual(event.serializedBytes(), [8, 7])
        XCTAssertEqual(SLUEvent().event, .start)
        XCTAssertEqual(SLUConfig().encoding, .linear16)
    }

    func testListsInPiecesKeepTheirOrder() throws {
        let count = 1000
        let encoded = (0..<count).flatMap { index -> [UInt8] in
            let word = SLUTranscript(index: Int32(index))
            let content = SLUTentativeTranscript(tentativeWords: [word])
            return SLUResponse(streamingResponse: .tentativeTranscript(content)).serializedBytes()
        }
        guard case .tentativeTranscript(let content)? = try SLUResponse(serializedBytes: encoded).streamingResponse
        else { return XCTFail("another member") }
        XCTAssertEqual(content.tentativeWords.map(\.index), (0..<Int32(count)).map { $0 })
    }

    func testStringsOfEveryLengthAndWidth() throws {
        for scalar in ["a", "ß", "日", "😀"] {
            for count in 0..<40 {
                let intent = SLUIntent(intent: String(repeating: scalar, count: count))
                XCTAssertEqual(try SLUIntent(serializedBytes: intent.serializedBytes()), intent)
            }
        }
    }

    private func decode(_ hex: String) throws -> SLUResponse { try SLUResponse(serializedBytes: bytes(hex: hex)) }
}
