import Foundation

/// A shell that is given the commands of a `console` block one by one, as a reader would type them.
///
/// A line that starts with `$ ` is a command; the lines after it are its output, of both streams. A command that
/// ends in `&` goes on in the background: its lines are waited for, and it is ended with the session.
final class ShellSession {
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()
    private var count = 0

    init(in directory: URL, environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["--noprofile", "--norc"]
        process.currentDirectoryURL = directory
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // The trap ends what is in the background, however the session ends.
        type("trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT")
    }

    deinit { close() }

    func close() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs a whole block and compares what it prints.
    func run(_ block: CodeBlock) throws {
        for (command, expected) in try commands(of: block) {
            if command.hasSuffix("&") {
                type(command)
                for line in expected {
                    guard let seen = readLine() else { throw mismatch(block, command, expected, ["(end of output)"]) }
                    guard Expectation.matches(line: seen, line) else {
                        throw mismatch(block, command, expected, [seen])
                    }
                }
            } else {
                let seen = run(command)
                guard Expectation.matches(seen, expected) else { throw mismatch(block, command, expected, seen) }
            }
        }
    }

    private func commands(of block: CodeBlock) throws -> [(command: String, expected: [String])] {
        var commands: [(command: String, expected: [String])] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), []))
            } else if let last = commands.indices.last {
                // A backslash at the end continues the command, as in a shell.
                if commands[last].expected.isEmpty, commands[last].command.hasSuffix("\\") {
                    commands[last].command = commands[last].command.dropLast() + line.trimmed
                } else {
                    commands[last].expected.append(line)
                }
            } else {
                throw Mismatch(description: "\(block): the block does not start with a command ('$ …')")
            }
        }
        return commands
    }

    private func run(_ command: String) -> [String] {
        count += 1
        let marker = "--- end of command \(count)"
        type(command)
        type("echo; echo '\(marker)'")
        var lines: [String] = []
        while let line = readLine(), line != marker { lines.append(line) }
        // The empty line makes sure that the marker is on a line of its own.
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private func type(_ command: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    }

    private func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer = Data(buffer[buffer.index(after: end)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }

    private func mismatch(
        _ block: CodeBlock, _ command: String, _ expected: [String], _ seen: [String]
    ) -> Mismatch {
        let lines = ["\(block): '\(command)' does not print what is shown. Shown:"] + expected + ["Printed:"] + seen
        return Mismatch(description: lines.joined(separator: "\n"))
    }
}
