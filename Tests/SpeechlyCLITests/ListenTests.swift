import Foundation
import TestSupport
import XCTest

/// `speechly listen` and `speechly devices` on ALSA's virtual devices.
final class ListenTests: XCTestCase {
    private let config = TestCases.url("speech/repos.sal").path

    override class func setUp() {
        super.setUp()
        XCTAssertNoThrow(try ALSASandbox.enter())
    }

    /// A device that delivers speech, then silence. The recogniser hears what is asked for: 16 kHz mono.
    private func microphone(_ home: TemporaryHome, _ name: String) throws -> String {
        let wave = try Data(contentsOf: TestCases.url("speech/\(name)"))
        let file = home.url.appendingPathComponent("speech.raw")
        try wave.dropFirst(44).write(to: file)
        return ALSASandbox.fileDevice(file)
    }

    private func environment() -> [String: String] { ["ALSA_CONFIG_PATH": ALSASandbox.configurationPath] }

    private func object(_ line: String?) throws -> [String: Any] {
        let data = Data(try XCTUnwrap(line).utf8)
        return try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    func testHearsTheMicrophoneAndEndsWithAllResultsOnInterrupt() throws {
        let home = try TemporaryHome()
        let device = try microphone(home, "show-me-all-python-repos.slt.wav")
        let tool = try RunningTool(
            ["listen", "--config", config, "--device", device, "--json", "--partial"], environment: environment(),
            home: home.url)
        let started = try object(tool.readLine())
        XCTAssertEqual(started["event"] as? String, "started")
        XCTAssertEqual(started["device"] as? String, device)
        // The whole sentence is heard before the end is asked for.
        while let line = tool.readLine() {
            let text = try object(line)["text"] as? String
            if text?.lowercased() == "show me all python repos" { break }
        }
        tool.signal(SIGINT)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let objects = try outcome.objects()
        let segment = try XCTUnwrap(objects.last { $0["event"] as? String == "segment" })
        XCTAssertEqual(segment["isFinal"] as? Bool, true)
        XCTAssertEqual(segment["intent"] as? String, "filter")
        XCTAssertEqual((segment["text"] as? String)?.lowercased(), "show me all python repos")
        XCTAssertEqual(objects.last?["event"] as? String, "finished")
    }

    /// `timeout` signals the program, and then its group with the program in it.
    func testTheSameSignalTwiceInAMomentIsOne() throws {
        let home = try TemporaryHome()
        let device = try microphone(home, "order-by-stars.slt.wav")
        let tool = try RunningTool(
            ["listen", "--config", config, "--device", device, "--json", "--partial", "--pause", "0"],
            environment: environment(), home: home.url)
        while let line = tool.readLine() {
            if try (object(line)["text"] as? String)?.lowercased() == "order by stars" { break }
        }
        tool.signal(SIGINT)
        tool.signal(SIGINT)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let segment = try XCTUnwrap(outcome.objects().last { $0["event"] as? String == "segment" })
        XCTAssertEqual(segment["isFinal"] as? Bool, true)
    }

    func testWhatWasSaidIsFinalAfterAPauseWhileListeningGoesOn() throws {
        let home = try TemporaryHome()
        let device = try microphone(home, "order-by-stars.slt.wav")
        let tool = try RunningTool(
            ["listen", "--config", config, "--device", device, "--json"], environment: environment(), home: home.url)
        var segment: [String: Any] = [:]
        while segment["event"] as? String != "segment" { segment = try object(tool.readLine()) }
        XCTAssertEqual(segment["isFinal"] as? Bool, true)
        XCTAssertEqual(segment["intent"] as? String, "sort")
        tool.signal(SIGINT)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(try outcome.objects().last?["event"] as? String, "finished")
    }

    func testTheDetectorMakesAContextOfSpeechAlone() throws {
        let home = try TemporaryHome()
        let device = try microphone(home, "order-by-stars.slt.wav")
        let tool = try RunningTool(
            ["listen", "--config", config, "--device", device, "--json", "--vad"], environment: environment(),
            home: home.url)
        var events: [String] = []
        while let line = tool.readLine() {
            let object = try object(line)
            events.append(object["event"] as? String ?? "")
            if events.last == "segment" { XCTAssertEqual(object["intent"] as? String, "sort") }
            if events.last == "finished" { break }
        }
        tool.signal(SIGTERM)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(events.first, "speechStarted")
        XCTAssertEqual(
            events.filter { ["started", "segment", "finished"].contains($0) }, ["started", "segment", "finished"])
    }

    func testOnATerminalTheLevelIsShownAndCtrlCEndsWithNothingLeftOfIt() throws {
        let home = try TemporaryHome()
        let device = try microphone(home, "order-by-stars.slt.wav")
        let arguments = ["listen", "--config", config, "--device", device, "--vad", "--partial"]
        for (kind, columns) in [("xterm", 30), ("dumb", 30)] {
            let tool = try RunningTool(
                onTerminal: arguments, columns: columns, environment: environment().merging(["TERM": kind]) { $1 },
                home: home.url)
            var text = ""
            while let line = tool.readLine() {
                text += line + "\n"
                let last = line.components(separatedBy: "\u{1B}[K").last
                if last == "sort: order by [stars](sort_field)\r" { break }
            }
            // Through the terminal, as a key is.
            let outcome = try tool.finish(input: Data([3]))
            XCTAssertEqual(outcome.status, 0, outcome.error)
            text += outcome.output
            let pieces = text.split(whereSeparator: { $0 == "\n" || $0 == "\r" || $0 == "\r\n" })
                .map { $0.replacingOccurrences(of: "\u{1B}[K", with: "") }
            XCTAssertTrue(pieces.contains("sort: order by [stars](sort_field)"), text)
            let drawn = pieces.filter { $0.contains("·") || $0.contains("█") }
            XCTAssertEqual(drawn.isEmpty, kind == "dumb", text)
            XCTAssertEqual(text.contains("\u{1B}"), kind != "dumb", text)
            XCTAssertTrue(drawn.allSatisfy { $0.count <= columns }, "\(drawn)")
            // What stands on the last line is erased, or ended.
            XCTAssertTrue(text.hasSuffix("\r\n") || text.hasSuffix("\r\u{1B}[K") || text.hasSuffix("^C"), text)
        }
    }

    func testADeviceThatIsNotThereIsOneLineAndStatusOne() throws {
        for arguments in [[], ["--vad"]] {
            let home = try TemporaryHome()
            let tool = try RunningTool(
                ["listen", "--config", config, "--device", "no-such-device"] + arguments, environment: environment(),
                home: home.url)
            let outcome = try tool.finish()
            XCTAssertEqual(outcome.status, 1)
            XCTAssertEqual(outcome.output, "")
            XCTAssertTrue(
                outcome.error.hasPrefix("speechly: no-such-device: the microphone cannot be opened: "), outcome.error)
            XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error)
        }
    }

    func testWrongOptionsAreRefused() throws {
        for arguments in [
            ["--channel", "x"], ["--channel", "32"], ["--device", ""], ["operand"], ["--pause", "-1"],
            ["--pause", "1s"],
        ] {
            let outcome = try RunningTool.run(["listen"] + arguments)
            XCTAssertEqual(outcome.status, 2, "\(arguments): \(outcome.error)")
        }
    }

    func testDevicesAreListedTheDefaultFirst() throws {
        let readable = try RunningTool.run(["devices"], environment: environment())
        XCTAssertEqual(readable.status, 0, readable.error)
        XCTAssertTrue(readable.lines.first?.hasPrefix("* default ") ?? false, readable.output)
        XCTAssertTrue(
            readable.output.contains("A microphone of the tests; 1-32 channels; 8000-192000 Hz"), readable.output)
        let objects = try RunningTool.run(["devices", "--json"], environment: environment()).objects()
        XCTAssertEqual(objects.count, readable.lines.count)
        XCTAssertEqual(objects.first?["event"] as? String, "device")
        XCTAssertEqual(objects.first?["id"] as? String, "default")
        XCTAssertEqual(objects.first?["isDefault"] as? Bool, true)
        XCTAssertTrue((objects.first?["sampleRates"] as? [Int])?.contains(16_000) ?? false)
    }
}
