import Foundation
import Speechly
import SpeechlyTesting
import TestSupport
import XCTest

/// `speechly transcribe` against a server that says what the test wants.
final class TranscribeTests: XCTestCase {
    private let app = "9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11"
    private let file = TestCases.url("speech/order-by-stars.slt.wav").path
    private let stars = SLUEntity(entity: "field", value: "stars", startPosition: 2, endPosition: 3)

    private func run(_ server: MockSpeechlyServer, _ arguments: [String], input: Data = Data()) throws
        -> RunningTool.Outcome
    {
        try RunningTool.run(
            ["transcribe", "--slu-addr", server.address.description, "--app-id", app] + arguments, input: input)
    }

    func testPrintsWhatWasMeant() throws {
        let server = try MockSpeechlyServer(streams: [.hears("ORDER by stars", intent: "sort", entities: [stars])])
        let outcome = try run(server, [file])
        XCTAssertEqual(outcome.output, "sort: ORDER by [stars](field)\n")
        XCTAssertEqual(outcome.error, "")
        XCTAssertEqual(outcome.status, 0)
        let context = try XCTUnwrap(server.received.contexts.first)
        XCTAssertEqual(context.audio, Array(try Data(contentsOf: URL(fileURLWithPath: file)).dropFirst(44)))
        XCTAssertNotNil(context.option("timezone"))
    }

    func testPrintsJSONOfExactlyTheFormThatIsDocumented() throws {
        let server = try MockSpeechlyServer(streams: [.hears("order by stars", intent: "sort", entities: [stars])])
        let outcome = try run(server, [file, "--json", "--partial"])
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let context = "00000000-0000-4000-8000-000000000001"
        let head = "\"file\":\"\(file)\",\"contextId\":\"\(context)\""
        let words =
            #""words":[{"index":0,"value":"order","startMs":0,"endMs":240},"#
            + #"{"index":1,"value":"by","startMs":300,"endMs":540},{"index":2,"value":"stars","startMs":600,"endMs":840}]"#
        let entities = #""entities":[{"type":"field","value":"stars","startIndex":2,"endIndex":3}]"#
        let expected = [
            #"{"event":"started",\#(head),"atMs":N}"#,
            #"{"event":"segment",\#(head),"segmentId":0,"isFinal":false,"intent":"","entities":[],"#
                + #""text":"order by stars",\#(words),"atMs":N}"#,
            #"{"event":"segment",\#(head),"segmentId":0,"isFinal":false,"intent":"",\#(entities),"#
                + #""text":"order by stars",\#(words),"atMs":N}"#,
            #"{"event":"segment",\#(head),"segmentId":0,"isFinal":false,"intent":"sort",\#(entities),"#
                + #""text":"order by stars",\#(words),"atMs":N}"#,
            #"{"event":"segment",\#(head),"segmentId":0,"isFinal":true,"intent":"sort",\#(entities),"#
                + #""text":"order by stars",\#(words),"atMs":N}"#,
            #"{"event":"finished",\#(head),"atMs":N}"#,
        ]
        let seen = outcome.lines.map { line in
            line.replacingOccurrences(of: #""atMs":\d+"#, with: #""atMs":N"#, options: .regularExpression)
        }
        XCTAssertEqual(seen, expected)
    }

    func testShowsNonFinalSegmentsOnlyWhenAsked() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go"), .hears("go")])
        let finals = try run(server, [file, "--json"]).objects()
        XCTAssertEqual(finals.map { $0["event"] as? String }, ["started", "segment", "finished"])
        XCTAssertEqual(finals[1]["intent"] as? String, "")
        XCTAssertEqual(try run(server, [file, "--partial"]).output, "… go\ngo\n")
    }

    func testTellsTheServiceHowLongASilenceEndsASegment() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go"), .hears("go")])
        _ = try run(server, [file, "--pause", "480"])
        _ = try run(server, [file])
        let values = server.received.contexts.map { $0.option("silence_triggered_segmentation") }
        XCTAssertEqual(values, [["480"], nil])
    }

    func testNamesEachOfSeveralFiles() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go")])
        let flac = TestCases.url("speech/show-me-only-typescript-items.rms.44100-stereo-24bit.flac").path
        let outcome = try run(server, [file, flac])
        XCTAssertEqual(outcome.output, "\(file)\n  go\n\(flac)\n  go\n")
        XCTAssertEqual(server.received.streams.count, 1, "one stream serves all files")
        XCTAssertEqual(server.received.contexts.count, 2)
    }

    func testReadsStandardInput() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go")])
        let outcome = try run(server, ["-", "--json"], input: try Data(contentsOf: URL(fileURLWithPath: file)))
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(try outcome.objects().first?["file"] as? String, "-")
        XCTAssertEqual(server.received.contexts.first?.audio.count, 76_800)
    }

    func testNamesTheApplicationAtEachStartOfAProjectLogin() throws {
        let server = try MockSpeechlyServer()
        let outcome = try run(server, [file, "--project-id", "11111111-1f0b-4b0a-8ad1-5d2f8a9e0c11"])
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(server.received.contexts.first?.appId, app)
        guard case .project? = server.received.logins.first?.request.scope else { return XCTFail("no project login") }
    }

    func testEndsEarlyOnSIGINTAndStillPrintsWhatWasHeard() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go", intent: "move")])
        let home = try TemporaryHome()
        let tool = try RunningTool(
            [
                "transcribe", "--slu-addr", server.address.description, "--app-id", app, "--realtime", "--partial",
                file, file,
            ], home: home.url)
        XCTAssertEqual(tool.readLine(), file)
        XCTAssertEqual(tool.readLine(), "  … go")
        tool.signal(SIGINT)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.output, "  … move: go\n  move: go\n")
        XCTAssertEqual(outcome.error, "speechly: interrupted: not everything was heard\n")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertEqual(server.received.contexts.count, 1)
    }

    func testEndsQuietlyWhenNobodyReadsItsOutput() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go")])
        let home = try TemporaryHome()
        let tool = try RunningTool(
            ["transcribe", "--slu-addr", server.address.description, "--app-id", app, "--realtime", "--json", file],
            home: home.url)
        XCTAssertNotNil(tool.readLine())
        tool.closeOutput()
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.error, "")
        XCTAssertEqual(outcome.status, 1)
    }
}
