import Foundation
import Speechly
import TestSupport
import XCTest

/// `speechly serve` as a process: signals, files, ports and sockets.
final class ServeProcessTests: XCTestCase {
    private let repos = TestCases.url("speech/repos.sal").path
    private let app = "11111111-1111-4111-8111-111111111111"

    private func start(
        _ arguments: [String], environment: [String: String] = [:], home: TemporaryHome
    ) throws -> (RunningTool, GRPCAddress) {
        let tool = try RunningTool(["serve"] + arguments, environment: environment, home: home.url)
        return (tool, try Self.address(tool))
    }

    static func address(_ tool: RunningTool) throws -> GRPCAddress {
        let line = try XCTUnwrap(tool.readLine())
        let prefix = "listening on "
        XCTAssertTrue(line.hasPrefix(prefix), line)
        return try GRPCAddress(addr: String(line.dropFirst(prefix.count)))
    }

    private func understand(_ address: GRPCAddress, _ text: String, token: String) async throws -> String? {
        let channel = try Channel(address: address)
        defer { channel.close() }
        var options = CallOptions(timeout: .seconds(60))
        options.metadata["authorization"] = "Bearer \(token)"
        let response = try await channel.unary(
            path: "/speechly.slu.v1.WLU/Text",
            request: WLURequest(languageCode: "en-US", text: text).serializedBytes(), options: options)
        return try WLUResponse(serializedBytes: response.message).segments.first?.intent?.intent
    }

    private func logIn(_ address: GRPCAddress) async throws -> String {
        let channel = try Channel(address: address)
        defer { channel.close() }
        let request = LoginRequest(
            deviceId: UUID().uuidString.lowercased(), scope: .application(ApplicationScope(appId: app)))
        let response = try await channel.unary(
            path: "/speechly.identity.v2.IdentityAPI/Login", request: request.serializedBytes(),
            options: CallOptions(timeout: .seconds(60)))
        return try LoginResponse(serializedBytes: response.message).token
    }

    /// A stream with an open context, which a drain waits for.
    private func openContext(_ address: GRPCAddress) async throws -> (Channel, BidirectionalCall) {
        let token = try await logIn(address)
        let channel = try Channel(address: address)
        var options = CallOptions(timeout: .seconds(120))
        options.metadata["authorization"] = "Bearer \(token)"
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let call = try BidirectionalCall(
            channel: channel, path: "/speechly.slu.v1.SLU/Stream", options: options
        ) { event in
            switch event {
            case .message: continuation.yield()
            case .end: continuation.finish()
            default: break
            }
        }
        for request: SLURequest.StreamingRequest in [
            .config(SLUConfig(channels: 1, sampleRateHertz: 16_000)), .start(SLUStart()),
        ] { try await call.sendWhenWritable(SLURequest(streamingRequest: request).serializedBytes()) }
        for await _ in started { break }
        return (channel, call)
    }

    func testASecondSignalEndsItAtOnce() async throws {
        for (first, second, expected) in [(SIGTERM, SIGTERM, 128 + SIGTERM), (SIGINT, SIGINT, 128 + SIGINT)] {
            let home = try TemporaryHome()
            let sockets = ["own", "taken"].map { home.url.appendingPathComponent($0).path }
            let listen = sockets.flatMap { ["--listen", "grpc+unix://\($0)"] }
            let (tool, _) = try start([repos, "--grace", "3600", "--log-level", "info"] + listen, home: home)
            var contexts: [(Channel, BidirectionalCall)] = []
            for socket in sockets { contexts.append(try await openContext(GRPCAddress(unixPath: socket))) }
            // Another service has put a socket of its own in the place of the second.
            try FileManager.default.removeItem(atPath: sockets[1])
            let (stranger, _) = try start([repos, "--listen", "grpc+unix://\(sockets[1])"], home: home)
            tool.signal(first)
            // The first one has been heard when the log says so.
            _ = log(of: tool, until: "\"draining\"")
            tool.signal(second)
            XCTAssertEqual(try tool.finish().status, expected)
            XCTAssertEqual(sockets.map(FileManager.default.fileExists(atPath:)), [false, true])
            stranger.signal(SIGTERM)
            XCTAssertEqual(try stranger.finish().status, 0)
            for (channel, call) in contexts {
                call.cancel()
                channel.close()
            }
        }
    }

    func testSIGTERMWaitsForAContextAndNoLongerThanTheGrace() async throws {
        let home = try TemporaryHome()
        let (tool, address) = try start([repos, "--grace", "0.2"], home: home)
        let (channel, call) = try await openContext(address)
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
        call.cancel()
        channel.close()
    }

    func testItOutlivesTheReaderOfItsOutputAndOfItsLog() async throws {
        let home = try TemporaryHome()
        let (tool, address) = try start([repos, "--log-level", "debug"], home: home)
        tool.closeOutput()
        tool.closeError()
        tool.signal(SIGPIPE)
        for _ in 0..<3 { _ = try await logIn(address) }
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
    }

    func testWithoutAnOutputItSaysSo() throws {
        let outcome = try RunningTool.run(shell: "\"$0\" serve '\(repos)' >&-")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.error.contains("standard output"), outcome.error)
    }

    func testSIGHUPReadsAgainAndABrokenFileChangesNothing() async throws {
        let home = try TemporaryHome()
        let folder = home.url.appendingPathComponent("apps")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try home.write("*turn_on lamp\n", to: "apps/\(app).sal")
        let (tool, address) = try start(["--apps", folder.path, "--log-level", "info"], home: home)
        let token = try await logIn(address)
        let before = try await understand(address, "lamp", token: token)
        XCTAssertEqual(before, "turn_on")
        func reload(_ text: String) throws -> String {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            tool.signal(SIGHUP)
            var log = ""
            while let line = tool.readErrorLine() {
                log += line + "\n"
                if line.contains("\"reloaded\"") { break }
            }
            return log
        }
        let why = try reload("*turn_off [lamp\n")
        XCTAssertTrue(why.contains("\"reload_failed\"") && why.contains("\(app).sal:1:"), why)
        let broken = try await understand(address, "lamp", token: token)
        XCTAssertEqual(broken, "turn_on")
        // The same token is good for the new configuration.
        let done = try reload("*turn_off lamp\n")
        XCTAssertFalse(done.contains("reload_failed"), done)
        let after = try await understand(address, "lamp", token: token)
        XCTAssertEqual(after, "turn_off")
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
    }

    /// What the log says until a line has one of these words in it, that line included.
    private func log(of tool: RunningTool, until words: String...) -> String {
        var log = ""
        while let line = tool.readErrorLine() {
            log += line + "\n"
            if words.contains(where: line.contains) { break }
        }
        return log
    }

    func testAConfigurationThatBreaksIsServedAsItWasUntilItIsMended() async throws {
        // By a signal and by itself; as SAL, as YAML and as a folder.
        let yaml = "templates: |\n  *%@ %@\n"
        for (name, argument, form) in [
            ("a.sal", "a.sal", "*%@ %@\n"), ("a.yaml", "a.yaml", yaml), ("f/config.yaml", "f", yaml),
        ] {
            for watches in [false, true] {
                let home = try TemporaryHome()
                let config = home.url.appendingPathComponent(argument).path
                try FileManager.default.createDirectory(
                    at: home.url.appendingPathComponent("f"), withIntermediateDirectories: true)
                let file = try home.write(String(format: form, "turn_on", "lamp"), to: name)
                let (tool, address) = try start(
                    [config, "--log-level", "info"] + (watches ? ["--watch"] : []), home: home)
                let token = try await logIn(address)
                func reload(_ text: String?) throws -> String {
                    if let text {
                        try text.write(toFile: file, atomically: true, encoding: .utf8)
                    } else {
                        try FileManager.default.removeItem(atPath: file)
                    }
                    if !watches { tool.signal(SIGHUP) }
                    return log(of: tool, until: "\"reloaded\"", "\"reload_failed\"")
                }
                let broken = try reload(String(format: form, "turn_off", "[lamp"))
                XCTAssertTrue(broken.contains("\"reload_failed\""), broken)
                let place = name == "a.sal" ? ":1:11: " : ":2:13: "
                XCTAssertTrue(broken.contains(name + place), broken)
                XCTAssertTrue(broken.contains("\"level\":\"error\""), broken)
                let gone = try reload(nil)
                XCTAssertTrue(gone.contains("\"reload_failed\""), gone)
                let before = try await understand(address, "lamp", token: token)
                XCTAssertEqual(before, "turn_on", name)
                let mended = try reload(String(format: form, "turn_off", "lamp"))
                XCTAssertTrue(mended.contains("\"reloaded\""), mended)
                let after = try await understand(address, "lamp", token: token)
                XCTAssertEqual(after, "turn_off", name)
                tool.signal(SIGTERM)
                XCTAssertEqual(try tool.finish().status, 0)
            }
        }
    }

    func testAWatchedFileIsReadAgainWhenItChanges() async throws {
        let home = try TemporaryHome()
        let file = try home.write("*turn_on lamp\n", to: "a.sal")
        let (tool, address) = try start([file, "--watch", "--log-level", "info"], home: home)
        let token = try await logIn(address)
        try "*turn_off lamp\n".write(toFile: file, atomically: true, encoding: .utf8)
        while let line = tool.readErrorLine() { if line.contains("\"reloaded\"") { break } }
        let after = try await understand(address, "lamp", token: token)
        XCTAssertEqual(after, "turn_off")
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
    }

    func testATokenOutlivesARestartWithTheSameKey() async throws {
        let home = try TemporaryHome()
        let key = try home.write(String(repeating: "0123456789abcdef", count: 4) + "\n", to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let (first, address) = try start([repos, "--token-key-file", key], home: home)
        let token = try await logIn(address)
        first.signal(SIGTERM)
        XCTAssertEqual(try first.finish().status, 0)
        let variable = ["SPEECHLY_TOKEN_KEY": String(repeating: "0123456789abcdef", count: 4)]
        let (second, again) = try start([repos], environment: variable, home: home)
        let intent = try await understand(again, "show me go repos", token: token)
        XCTAssertEqual(intent, "filter")
        second.signal(SIGTERM)
        XCTAssertEqual(try second.finish().status, 0)
        let (third, stranger) = try start([repos], home: home)
        do {
            _ = try await understand(stranger, "show me go repos", token: token)
            XCTFail("a foreign token was taken")
        } catch let status as GRPCStatus {
            XCTAssertEqual(status.code, .permissionDenied)
        }
        third.signal(SIGTERM)
        XCTAssertEqual(try third.finish().status, 0)
    }

    func testSaysWhyAKeyAPortOrASocketIsRefused() async throws {
        let home = try TemporaryHome()
        let key = try home.write(String(repeating: "k", count: 64), to: "key")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let plain = try home.write("not a socket", to: "file")
        let socket = home.url.appendingPathComponent("s").path
        let (tool, address) = try start(
            [repos, "--listen", "grpc+unix://\(socket)", "--listen", "grpc://127.0.0.1:0"], home: home)
        let port = try Self.address(tool).port
        let cases: [([String], [String: String], String)] = [
            (["--token-key-file", key], [:], "chmod 600"), (["--token-key-file", "/nowhere"], [:], "/nowhere"),
            ([], ["SPEECHLY_TOKEN_KEY": "short"], "SPEECHLY_TOKEN_KEY has 5 bytes"),
            (["--listen", "grpc://127.0.0.1:\(port)"], [:], "127.0.0.1:\(port): Address already in use"),
            (["--listen", "\(address)"], [:], "Address already in use"),
            (["--listen", "grpc+unix://\(plain)"], [:], plain),
            (["--listen", "grpc+tls://127.0.0.1:0", "--tls-cert", "/nowhere", "--tls-key", plain], [:], "/nowhere"),
            (["--listen", "grpc+tls://127.0.0.1:0", "--tls-cert", plain, "--tls-key", plain], [:], "certificate"),
            (["--metrics", "\(port)"], [:], "127.0.0.1:\(port): Address already in use"),
            (["--apps", home.url.path], [:], home.url.path), (["--apps", "/nowhere"], [:], "/nowhere"),
        ]
        for (arguments, environment, expected) in cases {
            let config = arguments.first == "--apps" ? [] : [repos]
            let outcome = try RunningTool.run(["serve"] + config + arguments, environment: environment)
            XCTAssertEqual(outcome.status, 1, "\(arguments)")
            XCTAssertTrue(outcome.error.contains(expected), "\(arguments): \(outcome.error)")
            XCTAssertEqual(outcome.error.filter { $0 == "\n" }.count, 1, outcome.error)
        }
        XCTAssertEqual(try String(contentsOfFile: plain, encoding: .utf8), "not a socket")
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
    }

    func testASocketThatAKilledServiceLeftIsTakenOver() async throws {
        let home = try TemporaryHome()
        let socket = home.url.appendingPathComponent("s").path
        let (first, _) = try start([repos, "--listen", "grpc+unix://\(socket)"], home: home)
        first.signal(SIGKILL)
        XCTAssertEqual(try first.finish().status, 128 + SIGKILL)
        XCTAssertTrue(FileManager.default.fileExists(atPath: socket))
        let (second, address) = try start([repos, "--listen", "grpc+unix://\(socket)"], home: home)
        _ = try await logIn(address)
        second.signal(SIGTERM)
        XCTAssertEqual(try second.finish().status, 0)
    }

    func testMetricsAreServedOnLoopback() async throws {
        let home = try TemporaryHome()
        let (tool, address) = try start([repos, "--metrics", "0"], home: home)
        let line = try XCTUnwrap(tool.readLine())
        let url = try XCTUnwrap(URL(string: String(line.dropFirst("metrics on ".count))))
        XCTAssertEqual(url.host, "127.0.0.1")
        _ = try await logIn(address)
        let text = try HTTP.get(url)
        XCTAssertTrue(text.contains("speechly_logins_total{code=\"OK\"} 1\n"), text)
        tool.signal(SIGTERM)
        XCTAssertEqual(try tool.finish().status, 0)
    }
}
