import Foundation
import TestSupport
import XCTest

@testable import SpeechlyCLI
@testable import SpeechlyService

/// The files in `docs/deploy` say what the program and the Makefile say.
final class DeploymentFilesTests: XCTestCase {
    private static let root = TestCases.directory.deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private func words(_ text: Substring) -> [String] {
        text.split { $0.isWhitespace || "\\[],\"".contains($0) }.map(String.init)
    }

    func testTheyUseOnlyOptionsThatExist() throws {
        let known = Set(Serve.syntax.options.map(\.spelling))
        let unit = try text("docs/deploy/speechly.service")
        let command = try XCTUnwrap(unit.range(of: "ExecStart="))
        let end = try XCTUnwrap(unit.range(of: "ExecReload="))
        let image = try text("docs/deploy/Dockerfile")
        let entry = try XCTUnwrap(image.range(of: "ENTRYPOINT"))
        for used in [unit[command.upperBound..<end.lowerBound], image[entry.upperBound...]] {
            let options = words(used).filter { $0.hasPrefix("--") }
            XCTAssertGreaterThan(options.count, 2)
            XCTAssertEqual(Set(options).subtracting(known), [])
        }
    }

    func testTheImageIsBuiltWithThePackagesOfTheMakefile() throws {
        let makefile = try text("Makefile")
        let needed = ["PACKAGES_CLIENT := ", "PACKAGES_SERVICE := "].flatMap { name in
            makefile.split(separator: "\n").first { $0.hasPrefix(name) }.map { words($0.dropFirst(name.count)) } ?? []
        }
        XCTAssertGreaterThan(needed.count, 8)
        let image = try text("docs/deploy/Dockerfile")
        let build = try XCTUnwrap(image.components(separatedBy: "\nFROM ").dropFirst().first)
        XCTAssertEqual(Set(needed).subtracting(words(build[...])), [])
    }

    func testTheyProbeServicesThatAreAnswered() throws {
        for file in ["docs/deploy/kubernetes.yaml", "docs/deploy/envoy.yaml"] {
            let names = words(try text(file)[...]).map { $0.trimmingCharacters(in: ["{", "}"]) }
                .filter { $0.hasPrefix("speechly.") && $0 != "speechly.service" }
            XCTAssertFalse(names.isEmpty, file)
            XCTAssertEqual(Set(names).subtracting(EmbeddedService.serviceNames), [], file)
        }
    }
}
