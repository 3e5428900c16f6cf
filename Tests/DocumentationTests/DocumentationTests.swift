import Foundation
import SpeechlyService
import XCTest

/// Compiles, runs or parses every code block of README and docs. A block of a kind that nobody checks is a failure.
final class DocumentationTests: XCTestCase {
    func testEveryBlockHasAKindThatIsChecked() throws {
        let blocks = try Documents.blocks()
        let counts = Dictionary(grouping: blocks) { $0.tags.joined(separator: " ") }.mapValues(\.count)
        // Declarations are copies of what the compiler says: `make docs-check` holds them to the sources.
        let known: Set = ["swift", "swift manifest", "swift declaration", "console", "json", "sal", "yaml", "csv"]
        XCTAssertEqual(Set(counts.keys).subtracting(known), [])
        let summary = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("documentation: \(blocks.count) code blocks in \(try Documents.files().count) files: \(summary)")
        XCTAssertGreaterThan(blocks.count, 0)
    }

    func testSwiftCompiles() throws {
        let checker = try SwiftChecker()
        for block in try Documents.blocks() where block.tags == ["swift"] {
            let result = try checker.check(block)
            XCTAssertEqual(result.status, 0, "\(block):\n\(result.output)")
        }
    }

    func testManifestsEvaluate() throws {
        let checker = try SwiftChecker()
        for block in try Documents.blocks() where block.tags == ["swift", "manifest"] {
            let result = try checker.checkManifest(block)
            XCTAssertEqual(result.status, 0, "\(block):\n\(result.output)")
        }
    }

    func testJSONParses() throws {
        for block in try Documents.blocks() where block.tags == ["json"] {
            for line in block.lines {
                XCTAssertNoThrow(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)), "\(block): \(line)")
            }
        }
    }

    func testSALCompiles() throws {
        for block in try Documents.blocks() where block.tags == ["sal"] {
            let configuration = try SALCompiler.compile(block.text, file: block.description)
            XCTAssertEqual(configuration.diagnostics, [], "\(block)")
        }
    }

    /// A `config.yaml` imports the table that the same document shows.
    func testConfigurationsCompile() throws {
        let blocks = try Documents.blocks()
        for block in blocks where block.tags == ["yaml"] {
            let table = try XCTUnwrap(blocks.first { $0.tags == ["csv"] && $0.file == block.file })
            let configuration = try SALCompiler.compile(
                yaml: Array(block.text.utf8), file: block.description, imports: ["devices.csv": Array(table.text.utf8)])
            XCTAssertEqual(configuration.diagnostics, [], "\(block)")
        }
    }

    /// Programs that are shown are those that the consumer check and the tests build and run.
    func testProgramsAreThoseThatRun() throws {
        let shown = try Documents.blocks().map(\.text)
        for file in [
            "docs/examples/Quickstart/Package.swift", "docs/examples/Quickstart/Sources/Quickstart/main.swift",
            "docs/examples/Listen/Sources/Listen/main.swift", "Tests/Consumer/Sources/Consumer/SpeechlyManager.swift",
            "Tests/SpeechlyTestingTests/VoiceTests.swift",
        ] {
            let text = try String(contentsOf: Documents.repository.appendingPathComponent(file), encoding: .utf8)
            XCTAssertTrue(shown.contains(text), "no document shows \(file) as it is")
        }
    }

    /// `make test` itself compares its own output with what is shown; everything else is run here. The blocks under
    /// one heading are typed into one shell, as a reader would.
    func testConsoleBlocksPrintWhatIsShown() throws {
        let blocks = try Self.consoleBlocks()
        for place in Set(blocks.map(Place.init)) {
            let folder = try TemporaryFolder()
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let session = try ShellSession(
                in: Documents.repository,
                environment: [
                    "PATH": "\(Documents.products.path):\(path)", "XDG_RUNTIME_DIR": folder.url.path,
                    "XDG_STATE_HOME": folder.url.path, "HOME": folder.url.path,
                    // `make demo` takes the program of this build.
                    "SPEECHLY": Documents.products.appendingPathComponent("speechly").path,
                    // The tests may run under a `make` of their own.
                    "MAKEFLAGS": "--no-print-directory",
                ])
            defer { session.close() }
            do {
                for block in blocks where Place(block) == place { try session.run(block) }
            } catch {
                XCTFail("\(error)")
            }
        }
    }

    /// A block is pasted whole: nothing in it may follow what the reader has to wait for.
    func testWhatGoesOnInTheBackgroundEndsItsBlock() throws {
        for block in try Self.consoleBlocks() {
            guard let background = block.lines.firstIndex(where: { $0.hasPrefix("$ ") && $0.hasSuffix(" &") }) else {
                continue
            }
            let after = block.lines[(background + 1)...].filter { $0.hasPrefix("$ ") }
            XCTAssertEqual(after, [], "\(block)")
        }
    }

    private struct Place: Hashable {
        let file: String
        let heading: String

        init(_ block: CodeBlock) {
            file = block.file
            heading = block.heading
        }
    }

    private static func consoleBlocks() throws -> [CodeBlock] {
        try Documents.blocks().filter { $0.tags == ["console"] && $0.lines.first != "$ make test" }
    }

    func testLinksLeadSomewhere() throws {
        for file in try Documents.files() {
            let url = Documents.repository.appendingPathComponent(file)
            let text = try String(contentsOf: url, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#\s]+)(#[^)]*)?\)/) {
                let target = String(match.1)
                // Entities in SAL look like links; what has no dot or slash names no file.
                guard target.contains(where: { "./".contains($0) }), !target.contains("://") else { continue }
                let path = url.deletingLastPathComponent().appendingPathComponent(target).path
                XCTAssertTrue(FileManager.default.fileExists(atPath: path), "\(file): \(target) is not there")
            }
        }
    }
}
