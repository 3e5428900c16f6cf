import Foundation

/// Where the documents and the products of the build are.
enum Documents {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of the running test's products: `speechly` and the modules are beside it.
    static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// README and everything in `docs`, the generated reference included.
    static func files() throws -> [String] {
        let docs = repository.appendingPathComponent("docs")
        var files = ["README.md"]
        guard let walk = FileManager.default.enumerator(atPath: docs.path) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        for case let path as String in walk where path.hasSuffix(".md") {
            files.append("docs/\(path)")
        }
        return files.sorted()
    }

    private static let parsed = Result {
        try files().flatMap { try Markdown.blocks(of: repository.appendingPathComponent($0), named: $0) }
    }

    /// The blocks of all documents, read once.
    static func blocks() throws -> [CodeBlock] { try parsed.get() }
}

/// A program run to its end.
struct Finished {
    let status: Int32
    /// What it wrote to both streams.
    let output: String

    static func run(
        _ arguments: [String], in directory: URL, environment: [String: String] = [:]
    ) throws -> Finished {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = directory
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Finished(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}

/// A folder of its own that is removed in the end.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-docs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
