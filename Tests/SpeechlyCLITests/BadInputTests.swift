import Foundation
import Speechly
import SpeechlyTesting
import TestSupport
import XCTest

/// What goes wrong is one clear line, status 1, and never half a JSON object.
final class BadInputTests: XCTestCase {
    private let app = "9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11"
    private let file = TestCases.url("speech/order-by-stars.slt.wav").path

    private func assertFails(
        _ outcome: RunningTool.Outcome, saying expected: String..., events: [String]? = ["error"], line: UInt = #line
    ) throws {
        XCTAssertEqual(outcome.status, 1, outcome.error, line: line)
        XCTAssertTrue(outcome.error.hasPrefix("speechly: "), outcome.error, line: line)
        XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error, line: line)
        for text in expected { XCTAssertTrue(outcome.error.contains(text), outcome.error, line: line) }
        let objects = try outcome.objects(line: line)
        if let events { XCTAssertEqual(objects.map { $0["event"] as? String }, events, line: line) }
    }

    private func transcribe(_ server: MockSpeechlyServer, _ arguments: String...) throws -> RunningTool.Outcome {
        try RunningTool.run(
            ["transcribe", "--json", "--slu-addr", server.address.description, "--app-id", app] + arguments)
    }

    // MARK: Files

    func testFilesThatAreNoAudio() throws {
        let server = try MockSpeechlyServer()
        let home = try TemporaryHome()
        let wav = try Data(contentsOf: URL(fileURLWithPath: file))
        let flac = try TestCases.data("speech/show-me-only-typescript-items.rms.44100-stereo-24bit.flac")
        var noChannels = wav
        noChannels[22] = 0
        let cases: [(name: String, content: Data, expected: String)] = [
            ("empty.wav", Data(), "empty"), ("text.wav", Data("hello there\n".utf8), "not audio"),
            ("truncated.flac", flac.prefix(flac.count / 2), "truncated"), ("none.wav", noChannels, "0 channels"),
        ]
        for (name, content, expected) in cases {
            let url = home.url.appendingPathComponent(name)
            try content.write(to: url)
            // How much of a truncated file is heard before its end shows is left open.
            try assertFails(
                transcribe(server, url.path), saying: url.path, expected,
                events: name == "truncated.flac" ? nil : ["error"])
        }
        try assertFails(transcribe(server, "/nowhere.wav"), saying: "/nowhere.wav", "no such file")
        try assertFails(transcribe(server, home.url.path), saying: home.url.path, "directory")
    }

    func testASparseFileOfFiveGigabytes() throws {
        let server = try MockSpeechlyServer()
        let home = try TemporaryHome()
        let url = home.url.appendingPathComponent("sparse.wav")
        XCTAssertTrue(FileManager.default.createFile(atPath: url.path, contents: nil))
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 5 << 30)
        try handle.close()
        try assertFails(transcribe(server, url.path), saying: url.path, "not audio")
    }

    func testOneBadFileDoesNotKeepTheOthersFromBeingHeard() throws {
        let server = try MockSpeechlyServer(streams: [.hears("go")])
        try assertFails(
            transcribe(server, "/nowhere.wav", file), saying: "/nowhere.wav",
            events: ["error", "started", "segment", "finished"])
    }

    // MARK: Services

    func testAddressesWhereNoServiceIs() throws {
        func run(_ arguments: String...) throws -> RunningTool.Outcome {
            try RunningTool.run(["transcribe", "--json", "--app-id", app, "--slu-addr"] + arguments + [file])
        }
        let server = try MockSpeechlyServer()
        let port = server.address.port
        try assertFails(
            run("grpc+tls://127.0.0.1:\(port)"), saying: "cannot log in", "grpc+tls://127.0.0.1:\(port)")
        server.setAcceptsConnections(false)
        try assertFails(run(server.address.description), saying: "cannot log in", "\(server.address)", "refused")
        try assertFails(run("grpc+unix:///nowhere/s"), saying: "grpc+unix:///nowhere/s", "No such file")
        server.setAcceptsConnections(true)
        server.setStalled(true)
        try assertFails(
            run(server.address.description, "--connect-timeout", "0.2"), saying: "cannot log in", "\(server.address)")
    }

    func testLoginsThatFail() throws {
        let refusal = GRPCStatus(code: .notFound, message: "no application with this id")
        let server = try MockSpeechlyServer(logins: [
            .status(refusal), .response(LoginResponse(token: "garbage")), .bytes([0xFF, 0xFF]),
        ])
        try assertFails(transcribe(server, file), saying: "cannot log in", "NOT_FOUND: no application with this id")
        try assertFails(transcribe(server, file), saying: "token")
        try assertFails(transcribe(server, file), saying: "LoginResponse")
        server.scriptLogin(.silence)
        try assertFails(transcribe(server, file, "--connect-timeout", "0.2"), saying: "cannot log in", "DEADLINE")
    }

    func testStreamsThatEndAtEveryStage() throws {
        let status = GRPCStatus(code: .internal, message: "the recogniser\nis on fire")
        let stages: [(StreamScript.Trigger, [String])] = [
            (.opened, []), (.config, []), (.start(), ["started"]), (.audio(6400), ["started"]),
            (.stop(), ["started"]),
        ]
        for (trigger, before) in stages {
            let script = StreamScript(automatic: false).on(.start(), .send(.started)).on(trigger, .end(status))
            let server = try MockSpeechlyServer(defaultStream: script)
            let after = before.isEmpty ? ["error"] : ["error", "finished"]
            try assertFails(
                transcribe(server, file, "--reconnects", "1"), saying: "INTERNAL: the recogniser is on fire",
                events: before + after)
        }
    }

    func testConnectionsThatBreak() throws {
        for trigger in [StreamScript.Trigger.config, .audio(6400), .stop()] {
            let server = try MockSpeechlyServer(
                defaultStream: StreamScript(automatic: false).on(.start(), .send(.started)).on(
                    trigger, .dropConnections))
            try assertFails(transcribe(server, file, "--reconnects", "1"), saying: file, events: nil)
        }
    }

    func testAConnectionThatBreaksOnceIsNotNoticed() throws {
        let server = try MockSpeechlyServer(
            streams: [StreamScript(automatic: false).on(.start(), .send(.started)).on(.audio(6400), .dropConnections)])
        let outcome = try transcribe(server, file)
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(outcome.error, "")
        XCTAssertEqual(try outcome.objects().map { $0["event"] as? String }, ["started", "finished"])
    }

    func testATokenThatTheStreamRefusesTwice() throws {
        let refusal = StreamScript(automatic: false)
            .on(.opened, .end(GRPCStatus(code: .permissionDenied, message: "token expired")))
        let server = try MockSpeechlyServer(streams: [refusal, refusal])
        try assertFails(transcribe(server, file), saying: "token expired")
        XCTAssertEqual(server.received.logins.count, 2)
    }

    func testConfigurationsWithErrors() throws {
        let home = try TemporaryHome()
        let path = try home.write("*go there\n*go [a | b\n", to: "bad.sal")
        for command in ["transcribe", "understand"] {
            let outcome = try RunningTool.run([
                command, "--json", "--config", path, command == "understand" ? "x" : file,
            ])
            try assertFails(outcome, saying: "speechly: \(path):2:5: ", events: [])
        }
    }
}
