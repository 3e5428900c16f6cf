import SpeechlyProto
import XCTest

/// A full example of every message and every member of every oneof, written out in Swift and in bytes.
final class ExampleTests: XCTestCase {
    func testIdentity() throws {
        try check(
            LoginRequest(deviceId: "dev", scope: .application(ApplicationScope(appId: "app", configId: "cfg"))),
            "0a 03 646576 12 0a 0a 03 617070 1a 03 636667"
        )
        try check(
            LoginRequest(deviceId: "dev", scope: .project(ProjectScope(projectId: "prj"))),
            "0a 03 646576 1a 05 0a 03 70726a"
        )
        try check(ApplicationScope(appId: "app", configId: "cfg"), "0a 03 617070 1a 03 636667")
        try check(ProjectScope(projectId: "prj"), "0a 03 70726a")
        try check(
            LoginResponse(token: "tok", validForS: 86_400, expiresAtEpoch: 4_294_967_296, expiresAt: "at"),
            "0a 03 746f6b 10 80a305 18 8080808010 22 02 6174"
        )
    }

    func testSLURequest() throws {
        let option = SLUConfig.Option(key: "k", value: ["v", ""])
        let config = SLUConfig(
            encoding: .init(rawValue: 2), channels: 1, sampleRateHertz: 16_000, languageCode: "en", options: [option]
        )
        let configHex = "08 02 10 01 18 807d 22 02 656e 2a 08 0a 01 6b 12 01 76 12 00"
        try check(option, "0a 01 6b 12 01 76 12 00")
        try check(config, configHex)
        try check(SLURequest(streamingRequest: .config(config)), "0a 15" + configHex)

        let event = SLUEvent(event: .stop, appId: "app")
        try check(event, "08 01 12 03 617070")
        try check(SLURequest(streamingRequest: .event(event)), "12 07 08 01 12 03 617070")
        try check(SLURequest(streamingRequest: .event(SLUEvent(event: .start))), "12 00")

        try check(SLURequest(streamingRequest: .audio([0, 1, 0xFF])), "1a 03 0001ff")
        try check(SLURequest(streamingRequest: .audio([])), "1a 00")

        let response = RoundTripMeasurementResponse(id: 5)
        try check(response, "08 05")
        try check(SLURequest(streamingRequest: .rttResponse(response)), "22 02 08 05")

        let start = SLUStart(appId: "app", options: [SLUStart.Option(key: "timezone", value: ["UTC"])])
        let startHex = "0a 03 617070 12 0f 0a 08 74696d657a6f6e65 12 03 555443"
        try check(SLUStart.Option(key: "timezone", value: ["UTC"]), "0a 08 74696d657a6f6e65 12 03 555443")
        try check(start, startHex)
        try check(SLURequest(streamingRequest: .start(start)), "2a 16" + startHex)

        try check(SLUStop(), "")
        try check(SLURequest(streamingRequest: .stop(SLUStop())), "32 00")
    }

    func testSLUResponse() throws {
        let word = SLUTranscript(word: "sort", index: 1, startTime: 310, endTime: 650)
        let wordHex = "0a 04 736f7274 10 01 18 b602 20 8a05"
        let entity = SLUEntity(entity: "field", value: "forks", startPosition: 4, endPosition: 5)
        let entityHex = "0a 05 6669656c64 12 05 666f726b73 18 04 20 05"
        let intent = SLUIntent(intent: "sort")
        try check(word, wordHex)
        try check(entity, entityHex)
        try check(intent, "0a 04 736f7274")
        try check(SLUSegmentEnd(), "")
        try check(SLUStarted(), "")
        try check(RoundTripMeasurementRequest(id: -1), "08 ffffffffffffffffff01")
        try check(SLUError(code: "c", message: "m"), "0a 01 63 12 01 6d")
        try check(SLUFinished(error: SLUError(code: "c", message: "m")), "12 06 0a 01 63 12 01 6d")
        try check(
            SLUTentativeTranscript(tentativeTranscript: "sort", tentativeWords: [word, SLUTranscript()]),
            "0a 04 736f7274 12 0e" + wordHex + "12 00"
        )
        try check(SLUTentativeEntities(tentativeEntities: [entity]), "0a 12" + entityHex)

        try check(.transcript(word), "1a 0e" + wordHex)
        try check(.entity(entity), "22 12" + entityHex)
        try check(.intent(intent), "2a 06 0a 04 736f7274")
        try check(.segmentEnd(SLUSegmentEnd()), "32 00")
        try check(
            .tentativeTranscript(SLUTentativeTranscript(tentativeTranscript: "sort", tentativeWords: [word])),
            "3a 16 0a 04 736f7274 12 0e" + wordHex
        )
        try check(.tentativeEntities(SLUTentativeEntities(tentativeEntities: [entity])), "42 14 0a 12" + entityHex)
        try check(.tentativeIntent(intent), "4a 06 0a 04 736f7274")
        try check(.started(SLUStarted()), "52 00")
        try check(.finished(SLUFinished()), "5a 00")
        try check(.rttRequest(RoundTripMeasurementRequest(id: 300)), "62 03 08 ac02")
    }

    func testWLU() throws {
        let token = WLUToken(word: "go", index: 1)
        let entity = WLUEntity(entity: "lang", value: "Go", startPosition: 1, endPosition: 2)
        let entityHex = "0a 04 6c616e67 12 02 476f 18 01 20 02"
        let segment = WLUSegment(
            text: "go", tokens: [token], entities: [entity], intent: WLUIntent(intent: "i"), annotatedText: "*i go"
        )
        let segmentHex = "0a 02 676f 12 06 0a 02 676f 10 01 1a 0e" + entityHex + "22 03 0a 01 69 2a 05 2a6920676f"
        let timestamp = ProtoTimestamp(seconds: -1, nanos: 999_999_999)
        let timestampHex = "08 ffffffffffffffffff01 10 ff93ebdc03"
        let request = WLURequest(languageCode: "en", text: "go", referenceTime: timestamp)
        let requestHex = "0a 02 656e 12 02 676f 1a 11" + timestampHex
        try check(token, "0a 02 676f 10 01")
        try check(entity, entityHex)
        try check(WLUIntent(intent: "i"), "0a 01 69")
        try check(segment, segmentHex)
        try check(timestamp, timestampHex)
        try check(request, requestHex)
        try check(WLUResponse(segments: [segment, WLUSegment()]), "0a 28" + segmentHex + "0a 00")
        try check(
            TextsRequest(appId: "app", requests: [request, WLURequest()]), "0a 03 617070 12 1b" + requestHex + "12 00")
        try check(TextsResponse(responses: [WLUResponse(segments: [segment])]), "0a 2a 0a 28" + segmentHex)
    }

    func testBatch() throws {
        let config = BatchAudioConfiguration(
            encoding: .linear16, channels: 1, sampleRateHertz: 16_000, languageCodes: ["en", "fi"])
        let configHex = "08 01 10 01 18 807d 22 02 656e 22 02 6669"
        let resource = BatchHTTPResource(
            url: "u", method: .put, headers: [BatchHTTPResource.Header(name: "n", value: "v")])
        let resourceHex = "0a 01 75 10 03 1a 06 0a 01 6e 12 01 76"
        let word = BatchTranscript(word: "go", index: 1, startTime: 310, endTime: 650)
        let wordHex = "0a 02 676f 10 01 18 b602 20 8a05"
        try check(config, configHex)
        try check(resource, resourceHex)
        try check(BatchHTTPResource.Header(name: "n", value: "v"), "0a 01 6e 12 01 76")
        try check(BatchOption(key: "k", value: ["a", ""]), "0a 01 6b 12 01 61 12 00")
        try check(word, wordHex)
        try check(ProtoDuration(seconds: -1, nanos: -1), "08 ffffffffffffffffff01 10 ffffffffffffffffff01")
        let sources: [(ProcessAudioRequest.Source, String, String)] = [
            (.audio([1, 2]), "1a 02 0102", ""), (.audio([]), "1a 00", ""), (.uri("x"), "22 01 78", ""),
            (.httpSource(resource), "", "4a 0d" + resourceHex),
        ]
        for (source, early, late) in sources {
            try check(
                ProcessAudioRequest(
                    appId: "a", deviceId: "d", config: config, source: source, destination: .resultsUri("r"),
                    reference: "f", options: [BatchOption(key: "k")]),
                "0a 01 61 12 0f" + configHex + early + "2a 01 72 32 01 66 3a 03 0a 01 6b 42 01 64" + late)
        }
        try check(ProcessAudioRequest(destination: .httpResult(resource)), "52 0d" + resourceHex)
        let operation = BatchOperation(
            id: "i", reference: "f", status: .waitingDecoder, languageCode: "en", appId: "a", deviceId: "d",
            transcripts: [word], error: "e", duration: ProtoDuration(seconds: 2, nanos: 5))
        let operationHex =
            "0a 01 69 12 01 66 18 06 22 02 656e 2a 01 61 32 01 64 3a 0c" + wordHex + "42 01 65 4a 04 08 02 10 05"
        try check(operation, operationHex)
        try check(ProcessAudioResponse(operation: BatchOperation(status: .done)), "0a 02 18 03")
        try check(QueryStatusRequest(id: "i", reference: "f"), "0a 01 69 12 01 66")
        try check(QueryStatusResponse(operation: BatchOperation()), "0a 00")
    }

    func testHealthAndTheOlderLogin() throws {
        try check(HealthCheckRequest(service: "s"), "0a 01 73")
        try check(HealthCheckResponse(status: .serviceUnknown), "08 03")
        try check(HealthCheckResponse(status: .init(rawValue: 99)), "08 63")
        try check(
            IdentityV1LoginRequest(deviceId: "d", appId: "a", languageCode: "en", configId: "c"),
            "0a 01 64 12 01 61 1a 02 656e 22 01 63")
        try check(IdentityV1LoginResponse(token: "t"), "0a 01 74")
    }

    func testAudioStraightFromABufferIsTheSameMessage() throws {
        for size in [0, 1, 127, 128, 3200, 70_000] {
            let pcm = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            var writer = ProtoWriter()
            pcm.withUnsafeBytes { SLURequest.encodeAudio($0, into: &writer) }
            XCTAssertEqual(writer.bytes, SLURequest(streamingRequest: .audio(pcm)).serializedBytes())
            XCTAssertEqual(writer.count, writer.bytes.count)
        }
    }

    func testAWriterCanBeUsedAgain() throws {
        var writer = ProtoWriter(minimumCapacity: 0)
        for size in [10, 5000, 0, 300] {
            let message = SLUIntent(intent: String(repeating: "z", count: size))
            writer.removeAll()
            XCTAssertEqual(writer.count, 0)
            message.encode(into: &writer)
            XCTAssertEqual(writer.bytes, message.serializedBytes())
            XCTAssertEqual(try writer.withUnsafeBytes { try SLUIntent(serializedBytes: $0) }, message)
        }
    }

    private func check(_ content: SLUResponse.StreamingResponse, _ hex: String, line: UInt = #line) throws {
        let response = SLUResponse(audioContext: "ctx", segmentId: 2, streamingResponse: content)
        try check(response, "0a 03 637478 10 02" + hex, line: line)
    }

    private func check<Message: ProtoMessage>(_ message: Message, _ hex: String, line: UInt = #line) throws {
        let expected = try bytes(hex: hex)
        XCTAssertEqual(message.serializedBytes(), expected, line: line)
        XCTAssertEqual(try Message(serializedBytes: expected), message, line: line)
    }
}
