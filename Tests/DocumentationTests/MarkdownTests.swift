import Foundation
import XCTest

final class MarkdownTests: XCTestCase {
    private func blocks(_ text: String) throws -> [CodeBlock] {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.md")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try Markdown.blocks(of: file, named: "a.md")
    }

    func testFindsBlocksWithTheirTagsAndPlaces() throws {
        let found = try blocks("# A\n\n```swift manifest\n# let a = 1\n\nlet b = 2\n```\n## B\n```json\n{}\n```\n")
        XCTAssertEqual(found.map(\.description), ["a.md:3", "a.md:9"])
        XCTAssertEqual(found.map(\.tags), [["swift", "manifest"], ["json"]])
        XCTAssertEqual(found.map(\.heading), ["# A", "## B"])
        XCTAssertEqual(found[0].text, "# let a = 1\n\nlet b = 2\n")
    }

    func testRefusesWhatNobodyCouldCheck() {
        for text in [
            "```\nx\n```\n", "```swift\nx\n", "  ```swift\nx\n  ```\n", "~~~swift\nx\n~~~\n", "a\n\n    x = 1\n",
        ] {
            XCTAssertThrowsError(try blocks(text), text) { XCTAssertTrue("\($0)".contains("a.md:"), "\($0)") }
        }
    }

    func testComparesOutputWithGaps() {
        XCTAssertTrue(Expectation.matches(["a", "b"], ["a", "b"]))
        XCTAssertFalse(Expectation.matches(["a", "b"], ["a"]))
        XCTAssertFalse(Expectation.matches(["a"], ["a", "b"]))
        XCTAssertTrue(Expectation.matches(["x", "y", "b"], ["…", "b"]))
        XCTAssertTrue(Expectation.matches(["b"], ["…", "b"]))
        XCTAssertFalse(Expectation.matches(["x"], ["…", "b"]))
        XCTAssertTrue(Expectation.matches(["took 12 ms in all"], ["took … ms in all"]))
        XCTAssertFalse(Expectation.matches(["took 12 s in all"], ["took … ms in all"]))
        XCTAssertTrue(Expectation.matches(["{\"id\":\"4711\",\"at\":12}"], ["{\"id\":\"…\",\"at\":…}"]))
    }

    func testSessionSeesOutputStatusAndBackground() throws {
        let folder = try TemporaryFolder()
        let session = try ShellSession(in: folder.url, environment: ["NAME": "world"])
        defer { session.close() }
        let good = [
            "$ echo hello $NAME", "hello world", "$ printf x; false", "x", "$ (echo ready; sleep 100) &", "ready",
            "$ echo one \\", "two", "one two",
        ]
        try session.run(CodeBlock(file: "a.md", line: 1, tags: ["console"], lines: good))
        let bad = CodeBlock(file: "a.md", line: 7, tags: ["console"], lines: ["$ echo a", "b"])
        XCTAssertThrowsError(try session.run(bad)) { XCTAssertTrue("\($0)".hasPrefix("a.md:7: 'echo a'"), "\($0)") }
    }
}
