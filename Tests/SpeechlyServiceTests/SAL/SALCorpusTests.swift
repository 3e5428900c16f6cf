import Foundation
import TestSupport
import XCTest

@testable import SpeechlyService

/// Replays what the fuzzer in `Tests/Fuzzing` has kept: inputs that reach code nothing else reaches, and past finds.
final class SALCorpusTests: XCTestCase {
    private static let around = """
        imports: [{name: a, source: t.csv, field: 1}, {name: b, source: t.csv, field: 2}]
        entities: [{name: e, type: lookup, input_items: $a, output_items: $b}]
        templates: |
          *x go $a(e) {and $a}
        """

    func testEveryKeptInputCompilesOrSaysWhereItDoesNot() throws {
        let table = ["t.csv": Array("a,b\nc,d\n".utf8)]
        for (kind, compile) in [
            ("sal", { try SALCompiler.compile(bytes: $0, file: "f") }),
            ("yaml", { try SALCompiler.compile(yaml: $0, file: "f", imports: table) }),
            ("csv", { try SALCompiler.compile(yaml: Array(Self.around.utf8), file: "f", imports: ["t.csv": $0]) }),
        ] as [(String, ([UInt8]) throws -> SALConfiguration)] {
            var (compiled, refused) = (0, 0)
            for (file, bytes) in try Self.inputs("corpus", kind) + Self.inputs("finds", kind) {
                do {
                    let configuration = try compile(bytes)
                    compiled += 1
                    for sample in configuration.sample(count: 2, seed: 1) {
                        let words = SALTest.words(SALTest.plain(sample))
                        let segments = configuration.understand(words)
                        XCTAssertEqual(segments.reduce(0) { $0 + $1.words.count }, words.count, file)
                        XCTAssertFalse(segments.contains { $0.entities.contains(where: \.value.isEmpty) }, file)
                    }
                } catch let error as SALError {
                    refused += 1
                    XCTAssertFalse(error.errors.isEmpty, file)
                    for diagnostic in error.diagnostics {
                        XCTAssertTrue(diagnostic.line > 0 && diagnostic.column > 0, "\(file): \(diagnostic)")
                        XCTAssertLessThanOrEqual(diagnostic.caretOffset, diagnostic.sourceLine.count, file)
                    }
                }
            }
            XCTAssertGreaterThan(compiled, 3, kind)
            XCTAssertGreaterThan(refused, 3, kind)
        }
    }

    private static func inputs(_ folder: String, _ kind: String) throws -> [(String, [UInt8])] {
        let directory = TestCases.directory.deletingLastPathComponent().appendingPathComponent("Fuzzing")
            .appendingPathComponent(folder).appendingPathComponent(kind)
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .map { ($0.path, [UInt8](try Data(contentsOf: $0))) }
    }
}
