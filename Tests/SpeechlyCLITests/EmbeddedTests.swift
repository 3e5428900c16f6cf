import Foundation
import TestSupport
import XCTest

/// The whole way, with the service in the tool's own process: real speech, SAL and recogniser.
final class EmbeddedTests: XCTestCase {
    private let config = TestCases.url("speech/repos.sal").path

    /// An entity as the cases write it: type, value, start, end.
    private func entities(_ object: [String: Any]) -> [[String]] {
        (object["entities"] as? [[String: Any]] ?? []).map { entity in
            ["type", "value", "startIndex", "endIndex"].map { "\(entity[$0] ?? "")" }
        }
    }

    private func expected(_ entities: Any?) -> [[String]] {
        (entities as? [[Any]] ?? []).map { $0.map { "\($0)" } }
    }

    func testUnderstandsAllSpokenCases() throws {
        let cases = try TestCases.cases("speech/speech.json")
        let files = try cases.map { TestCases.url("speech/\(try XCTUnwrap($0["file"] as? String))").path }
        let outcome = try RunningTool.run(["transcribe", "--config", config, "--json"] + files)
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let segments = try outcome.objects().filter { $0["event"] as? String == "segment" }
        XCTAssertEqual(segments.map { $0["file"] as? String }, files)
        for (segment, item) in zip(segments, cases) {
            XCTAssertEqual((segment["text"] as? String)?.lowercased(), item["text"] as? String)
            XCTAssertEqual(segment["intent"] as? String, item["intent"] as? String)
            XCTAssertEqual(entities(segment), expected(item["entities"]))
            XCTAssertEqual(segment["isFinal"] as? Bool, true)
        }
    }

    func testUnderstandsAllWrittenCases() throws {
        let cases = try TestCases.cases("understand.json")
        let texts = try cases.map { try XCTUnwrap($0["text"] as? String) }
        let outcome = try RunningTool.run(["understand", "--config", config, "--json"] + texts)
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let segments = try outcome.objects()
        for (text, item) in zip(texts, cases) {
            let segments = segments.filter { $0["input"] as? String == text }
            let wanted = try XCTUnwrap(item["segments"] as? [[Any]])
            XCTAssertEqual(segments.count, wanted.count, text)
            for (segment, wanted) in zip(segments, wanted) {
                XCTAssertEqual(segment["intent"] as? String, wanted[0] as? String ?? "", text)
                XCTAssertEqual((segment["words"] as? [Any])?.count, wanted[1] as? Int, text)
                // Words keep their case, and so do the values made of them.
                XCTAssertEqual(entities(segment).map { $0.map { $0.lowercased() } }, expected(wanted[2]), text)
            }
        }
    }

    func testHearsBeforeTheSpeakerIsDone() throws {
        let file = TestCases.url("speech/show-me-all-python-repos.slt.wav")
        let outcome = try RunningTool.run(
            ["transcribe", "--config", config, "--json", "--partial", "--realtime", file.path])
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let partial = try XCTUnwrap(try outcome.objects().first { $0["isFinal"] as? Bool == false })
        // 16,000 samples of two bytes a second.
        let length = Double(try Data(contentsOf: file).count - 44) / 32
        XCTAssertLessThan(try XCTUnwrap(partial["atMs"] as? Double), length * 0.6)
    }

    func testReadsTextsFromStandardInput() throws {
        let outcome = try RunningTool.run(
            ["understand", "--config", config, "-"], input: Data("show me go\nsort by stars\n".utf8))
        XCTAssertEqual(outcome.output, "filter: show me [go](language)\nsort: sort by [stars](sort_field)\n")
    }

    func testLeavesNothingBehind() throws {
        let home = try TemporaryHome()
        let temporary = home.url.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let tool = try RunningTool(
            ["understand", "--config", config, "show me go"], environment: ["TMPDIR": temporary.path], home: home.url)
        XCTAssertEqual(try tool.finish().status, 0)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: temporary.path), [])
    }
}
