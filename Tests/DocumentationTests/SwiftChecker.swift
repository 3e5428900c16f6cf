import Foundation

/// Compiles Swift blocks against the modules of this build.
struct SwiftChecker {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Type-checks one block as a program of its own: statements and declarations, Swift 6, no warnings.
    func check(_ block: CodeBlock) throws -> Finished {
        let file = folder.url.appendingPathComponent("\(UUID().uuidString).swift")
        try (imports(for: block) + block.text).write(to: file, atomically: true, encoding: .utf8)
        var arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors"]
        arguments += ["-I", Documents.products.appendingPathComponent("Modules").path]
        arguments += try includeOptions()
        for map in try moduleMaps() { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
        return try Finished.run(arguments + [file.path], in: folder.url)
    }

    /// Examples of the reference stand on the page of their module and do not import it.
    private func imports(for block: CodeBlock) -> String {
        let file = URL(fileURLWithPath: block.file)
        guard file.deletingLastPathComponent().lastPathComponent == "reference" else { return "" }
        return "import Speechly\nimport \(file.deletingPathExtension().lastPathComponent)\n"
    }

    /// Evaluates a package manifest; the dependency by path is this repository.
    func checkManifest(_ block: CodeBlock) throws -> Finished {
        let package = folder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let file = package.appendingPathComponent("Package.swift")
        try block.text.write(to: file, atomically: true, encoding: .utf8)
        return try Finished.run(["swift", "package", "dump-package"], in: package)
    }

    /// Where the headers of the C modules are that Debian does not keep on the default path.
    private func includeOptions() throws -> [String] {
        let result = try Finished.run(["pkg-config", "--cflags-only-I", "pocketsphinx"], in: folder.url)
        return result.output.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
    }

    /// C modules that the Swift modules refer to: the ones of the sources, and those SwiftPM writes.
    private func moduleMaps() throws -> [String] {
        let sources = Documents.repository.appendingPathComponent("Sources")
        let manager = FileManager.default
        var maps: [String] = []
        for name in try manager.contentsOfDirectory(atPath: sources.path).sorted() {
            let candidates = [
                sources.appendingPathComponent("\(name)/module.modulemap").path,
                sources.appendingPathComponent("\(name)/include/module.modulemap").path,
                Documents.products.appendingPathComponent("\(name).build/module.modulemap").path,
            ]
            maps += candidates.filter { manager.fileExists(atPath: $0) }.prefix(1)
        }
        return maps
    }
}
