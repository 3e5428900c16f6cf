import Foundation
import SpeechlySync
import TestSupport
import XCTest

/// The `speechly` of this build as a process of its own.
final class RunningTool {
    struct Outcome {
        let status: Int32
        let output: String
        let error: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The lines of the output as JSON objects.
        func objects(file: StaticString = #filePath, line: UInt = #line) throws -> [[String: Any]] {
            try lines.map { text in
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
                return try XCTUnwrap(object as? [String: Any], text, file: file, line: line)
            }
        }
    }

    /// The folder of the build's products, where the running test is too.
    static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let error = Pipe()
    private var buffer = Data()
    private var isOutputClosed = false
    private var errorBuffer = Data()
    private var isErrorClosed = false

    /// Starts the tool. Variables of the surroundings that it heeds are not passed on.
    convenience init(_ arguments: [String], environment: [String: String] = [:], home: URL) throws {
        try self.init(
            Self.products.appendingPathComponent("speechly"), arguments, environment: environment, home: home)
    }

    /// Starts the tool on a terminal of its own, so many characters wide. What is typed is the input of `finish`.
    convenience init(
        onTerminal arguments: [String], columns: Int, environment: [String: String] = [:], home: URL
    ) throws {
        let tool = Self.products.appendingPathComponent("speechly").path
        let words = ([tool] + arguments).map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        try self.init(
            URL(fileURLWithPath: "/usr/bin/script"),
            ["-qec", "stty cols \(columns); exec " + words.joined(separator: " "), "/dev/null"],
            environment: environment, home: home)
    }

    private init(_ program: URL, _ arguments: [String], environment: [String: String], home: URL) throws {
        process.executableURL = program
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("SPEECHLY_") && !$0.key.hasPrefix("XDG_")
        }
        variables["HOME"] = home.path
        process.environment = variables.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = error
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Runs the tool to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: Data = Data()
    ) throws -> Outcome {
        let home = try TemporaryHome()
        return try RunningTool(arguments, environment: environment, home: home.url).finish(input: input)
    }

    /// Runs a line of shell to its end, in which `$0` is the tool.
    static func run(shell line: String) throws -> Outcome {
        let home = try TemporaryHome()
        let tool = products.appendingPathComponent("speechly").path
        return try RunningTool(
            URL(fileURLWithPath: "/bin/sh"), ["-c", line, tool], environment: [:], home: home.url
        ).finish()
    }

    /// The next line of its output; nil at the end.
    func readLine() -> String? {
        while !isOutputClosed {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer = Data(buffer[buffer.index(after: end)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
        return nil
    }

    /// The next line of its errors; nil at the end. `finish` gives the rest.
    func readErrorLine() -> String? {
        while true {
            if let end = errorBuffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: errorBuffer[errorBuffer.startIndex..<end], as: UTF8.self)
                errorBuffer = Data(errorBuffer[errorBuffer.index(after: end)...])
                return line
            }
            let more = error.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            errorBuffer += more
        }
    }

    /// Stops reading its errors.
    func closeError() {
        isErrorClosed = true
        try? error.fileHandleForReading.close()
    }

    var isRunning: Bool { process.isRunning }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Stops reading its output, as a pipe's reader does that has seen enough.
    func closeOutput() {
        isOutputClosed = true
        try? output.fileHandleForReading.close()
    }

    /// Gives it the rest of its input and waits for its end.
    func finish(input data: Data = Data()) throws -> Outcome {
        let errors = Locked(Data())
        let group = DispatchGroup()
        let (errorHandle, inputHandle) = (error.fileHandleForReading, input.fileHandleForWriting)
        if !isErrorClosed {
            DispatchQueue.global().async(group: group) {
                let data = errorHandle.readDataToEndOfFile()
                errors.withLock { $0 = data }
            }
        }
        DispatchQueue.global().async(group: group) {
            // A tool that has ended takes no input.
            try? inputHandle.write(contentsOf: data)
            try? inputHandle.close()
        }
        var text = ""
        while let line = readLine() { text += line + "\n" }
        text += String(decoding: buffer, as: UTF8.self)
        group.wait()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Outcome(
            status: status, output: text, error: String(decoding: errorBuffer + errors.withLock { $0 }, as: UTF8.self))
    }
}

/// A home folder of its own that is removed in the end.
final class TemporaryHome {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-home-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into the folder and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }
}
