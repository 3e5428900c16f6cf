import Foundation
import Speechly
import TestSupport
import XCTest

@testable import SpeechlyService

final class BatchServiceTests: XCTestCase {
    private static let path = "/speechly.slu.v1.BatchAPI/ProcessAudio"
    private static let app = TokenClaims.Scope.application(ServiceHarness.appId)

    private func scripted(
        _ script: [String] = ["one", "two"], failsAt: Int? = nil,
        adjust: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws -> ServiceHarness {
        var configuration = ServiceConfiguration()
        configuration.recognizer = RecognizerProvider { _ in ScriptedRecognizer(script: script, failsAt: failsAt) }
        adjust(&configuration)
        return try ServiceHarness(configuration)
    }

    private func process(
        _ harness: ServiceHarness, _ requests: [ProcessAudioRequest], token: String? = nil
    ) async throws -> BatchOperation {
        let (events, continuation) = AsyncStream<Result<[UInt8], GRPCStatus>>.makeStream()
        let call = try BidirectionalCall(
            channel: harness.channel, path: Self.path,
            options: ServiceHarness.options(token: token ?? harness.token())
        ) { event in
            switch event {
            case .message(let bytes): continuation.yield(.success([UInt8](bytes)))
            case .end(let status):
                continuation.yield(.failure(status))
                continuation.finish()
            case .initialMetadata, .writable: break
            }
        }
        do {
            for request in requests { try await call.sendWhenWritable(request.serializedBytes()) }
        } catch is GRPCStatus {
            // It was refused on the way; the status follows.
        }
        call.closeSend()
        var operation: BatchOperation?
        for await event in events {
            switch event {
            case .success(let bytes): operation = try ProcessAudioResponse(serializedBytes: bytes).operation
            case .failure(let status): if !status.isOk { throw status }
            }
        }
        return try XCTUnwrap(operation)
    }

    private func status(
        _ harness: ServiceHarness, _ request: QueryStatusRequest, token: String? = nil
    ) async throws -> BatchOperation {
        let response: QueryStatusResponse = try await harness.unary(
            "/speechly.slu.v1.BatchAPI/QueryStatus", request, token: token ?? harness.token())
        return try XCTUnwrap(response.operation)
    }

    private func finished(_ harness: ServiceHarness, _ id: String) async throws -> BatchOperation {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let operation = try await status(harness, QueryStatusRequest(id: id))
            if operation.status == .done || operation.status == .error { return operation }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw GRPCStatus(code: .deadlineExceeded, message: "the job did not end")
    }

    private static func raw(
        _ samples: Int, channels: Int32 = 1, rate: Int32 = 16_000,
        encoding: BatchAudioConfiguration.Encoding = .linear16
    ) -> ProcessAudioRequest {
        ProcessAudioRequest(
            config: BatchAudioConfiguration(encoding: encoding, channels: channels, sampleRateHertz: rate),
            // Loud throughout: a second of silence would end the utterance.
            source: .audio((0..<samples).flatMap { [0, $0 / 8 % 2 == 0 ? 0x20 : 0xE0] as [UInt8] }))
    }

    private func code(_ body: () async throws -> BatchOperation) async -> GRPCStatus? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? GRPCStatus
        }
    }

    func testRealFilesAreHeardWithTheirHeaders() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        for item in try SpeechCase.all().prefix(6) {
            let bytes = [UInt8](try Data(contentsOf: TestCases.url("speech/\(item.file)")))
            // In pieces, with no word about what it is: the header says it.
            let pieces = stride(from: 0, to: bytes.count, by: 65_536).map {
                ProcessAudioRequest(source: .audio(Array(bytes[$0..<min($0 + 65_536, bytes.count)])))
            }
            let taken = try await process(harness, pieces)
            XCTAssertEqual(taken.status, .queued)
            let done = try await finished(harness, taken.id)
            XCTAssertEqual(done.status, .done, done.error)
            XCTAssertEqual(done.transcripts.map(\.word).joined(separator: " "), item.text, item.file)
            XCTAssertEqual(done.transcripts.map(\.index), (0..<Int32(done.transcripts.count)).map { $0 })
            XCTAssertGreaterThan(done.duration?.seconds ?? 0, 0)
        }
    }

    func testRawAudioIsWhatConfigSays() async throws {
        let harness = try scripted()
        for (request, seconds) in [
            (Self.raw(16_000), 1.0), (Self.raw(16_000, channels: 2), 0.5), (Self.raw(7_200, rate: 8_000), 0.9),
        ] {
            let done = try await finished(harness, process(harness, [request]).id)
            XCTAssertEqual(done.status, .done, done.error)
            XCTAssertEqual(done.transcripts.map(\.word), ["one", "two"])
            let duration = Double(done.duration?.seconds ?? 0) + Double(done.duration?.nanos ?? 0) / 1e9
            XCTAssertEqual(duration, seconds, accuracy: 0.01)
        }
    }

    func testAJobIsFoundByItsReferenceAndByNobodyElse() async throws {
        let harness = try scripted()
        var request = Self.raw(1_600)
        request.reference = "mine"
        let taken = try await process(harness, [request])
        XCTAssertEqual(taken.reference, "mine")
        XCTAssertEqual(taken.appId, ServiceHarness.appId)
        _ = try await finished(harness, taken.id)
        let found = try await status(harness, QueryStatusRequest(reference: "mine"))
        XCTAssertEqual(found.id, taken.id)
        let other = try harness.token(.application("00000000-0000-4000-8000-000000000000"))
        for request in [QueryStatusRequest(id: taken.id), QueryStatusRequest(reference: "mine")] {
            let refused = await code { try await self.status(harness, request, token: other) }
            XCTAssertEqual(refused?.code, .notFound)
        }
    }

    func testWhatCannotBeDoneIsSaid() async throws {
        let harness = try scripted { $0.maximumBatchBytes = 100_000 }
        let project = try harness.token(.project(ServiceHarness.projectId))
        var elsewhere = Self.raw(10)
        elsewhere.destination = .resultsUri("s3://x")
        let cases: [(String, [ProcessAudioRequest], String?, GRPCStatus.Code)] = [
            ("nothing", [], nil, .invalidArgument),
            ("no audio", [ProcessAudioRequest(config: Self.raw(1).config)], nil, .invalidArgument),
            ("no config", [ProcessAudioRequest(source: .audio([1, 2, 3, 4]))], nil, .invalidArgument),
            ("another encoding", [Self.raw(100, encoding: .invalid)], nil, .invalidArgument),
            ("no channels", [Self.raw(100, channels: 0)], nil, .invalidArgument),
            ("a low rate", [Self.raw(100, rate: 1)], nil, .invalidArgument),
            ("an address", [ProcessAudioRequest(source: .uri("http://x"))], nil, .unimplemented),
            ("a destination", [elsewhere], nil, .unimplemented),
            ("too long", [Self.raw(30_000), Self.raw(30_000)], nil, .resourceExhausted),
            ("no application", [Self.raw(10)], project, .invalidArgument),
            ("no token", [Self.raw(10)], "x", .permissionDenied),
        ]
        for (name, requests, token, expected) in cases {
            let status = await code { try await self.process(harness, requests, token: token) }
            XCTAssertEqual(status?.code, expected, "\(name): \(status.map { "\($0)" } ?? "taken")")
            XCTAssertGreaterThan(status?.message?.count ?? 0, 10, name)
        }
        let both = await code { try await self.status(harness, QueryStatusRequest(id: "a", reference: "b")) }
        XCTAssertEqual(both?.code, .invalidArgument)
        let unknown = await code { try await self.status(harness, QueryStatusRequest(id: "a")) }
        XCTAssertEqual(unknown?.code, .notFound)
    }

    func testFilesOfOtherFormatsAreHeard() async throws {
        let harness = try ServiceHarness(SpeechCase.configuration())
        let flac = try SpeechCase.all().filter { $0.file.hasSuffix(".flac") }
        XCTAssertFalse(flac.isEmpty)
        for item in flac {
            let bytes = [UInt8](try Data(contentsOf: TestCases.url("speech/\(item.file)")))
            // A configuration that does not fit: the header wins.
            var request = Self.raw(0, channels: 1, rate: 8_000)
            request.source = .audio(bytes)
            let done = try await finished(harness, process(harness, [request]).id)
            XCTAssertEqual(done.status, .done, done.error)
            XCTAssertEqual(done.transcripts.map(\.word).joined(separator: " "), item.text, item.file)
        }
    }

    func testAFileThatIsNoneFailsAsAJob() async throws {
        let harness = try scripted()
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func wav(format: [UInt8], dataSize: UInt32, data: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + four(.max) + Array("WAVEfmt ".utf8) + four(16) + format + Array("data".utf8)
                + four(dataSize) + data
        }
        let pcm: [UInt8] = [1, 0, 1, 0] + four(16_000) + four(32_000) + [2, 0, 16, 0]
        guard case .audio(let sound)? = Self.raw(16_000).source else { return XCTFail("there is no audio") }
        let broken: [(String, [UInt8])] = [
            ("junk", Array("RIFF\u{4}\0\0\0WAVEjunk".utf8)), ("four bytes", Array("RIFF".utf8)),
            ("no format", Array("RIFF".utf8) + four(100) + Array("WAVEdata".utf8) + four(4) + [1, 2, 3, 4]),
            ("no channels", wav(format: [1, 0, 0, 0] + pcm.dropFirst(4), dataSize: 4, data: [1, 2, 3, 4])),
            (
                "no rate",
                wav(format: [1, 0, 1, 0] + four(0) + four(0) + [2, 0, 16, 0], dataSize: 4, data: [0, 0, 0, 0])
            ),
            ("an unknown encoding", wav(format: [0x99, 0x99] + pcm.dropFirst(2), dataSize: 4, data: [1, 2, 3, 4])),
            ("FLAC without anything", Array("fLaC".utf8) + [UInt8](repeating: 0xFF, count: 60)),
            ("Ogg without anything", Array("OggS".utf8) + [UInt8](repeating: 0, count: 60)),
        ]
        for (name, bytes) in broken {
            let done = try await finished(harness, process(harness, [ProcessAudioRequest(source: .audio(bytes))]).id)
            XCTAssertEqual(done.status, .error, name)
            XCTAssertTrue(done.error.contains("the audio"), "\(name): \(done.error)")
            XCTAssertFalse(done.error.contains("speechly-"), "\(name): \(done.error)")
        }
        // A header that promises more than there is, or nothing at all: what is there is heard.
        for size in [UInt32(sound.count * 10), .max] {
            let request = ProcessAudioRequest(source: .audio(wav(format: pcm, dataSize: size, data: sound)))
            let done = try await finished(harness, process(harness, [request]).id)
            XCTAssertEqual(done.status, .done, done.error)
            XCTAssertEqual(done.transcripts.map(\.word), ["one", "two"])
        }
    }

    func testAnEngineThatFailsEndsTheJobWithTheReason() async throws {
        let harness = try scripted(failsAt: 1_600)
        let done = try await finished(harness, process(harness, [Self.raw(16_000)]).id)
        XCTAssertEqual(done.status, .error)
        XCTAssertTrue(done.error.contains("lost its model"), done.error)
    }

    func testJobsAreBounded() async throws {
        let harness = try scripted { configuration in
            configuration.maximumBatchJobs = 2
            configuration.maximumRecognizers = 1
        }
        // A context holds the only recogniser, so that the jobs wait.
        let stream = try harness.stream()
        try await stream.configure()
        try await stream.send(.start(SLUStart()))
        try await stream.send(.audio([UInt8](repeating: 0, count: 9_600)))
        _ = try await stream.responses { if case .tentativeTranscript? = $0.streamingResponse { true } else { false } }
        let jobs = [try await process(harness, [Self.raw(160)]), try await process(harness, [Self.raw(160)])]
        let refused = await code { try await self.process(harness, [Self.raw(160)]) }
        XCTAssertEqual(refused?.code, .resourceExhausted)
        try await stream.send(.stop(SLUStop()))
        stream.closeSend()
        let (_, ended) = await stream.collect()
        XCTAssertEqual(ended, .ok)
        for job in jobs {
            let done = try await finished(harness, job.id)
            XCTAssertEqual(done.status, .done, done.error)
        }
    }
}
