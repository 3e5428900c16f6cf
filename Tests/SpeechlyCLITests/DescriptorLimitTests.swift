import TestSupport
import XCTest

/// What the tool says where it may open few files.
final class DescriptorLimitTests: XCTestCase {
    private let speech = TestCases.url("speech")

    private func transcribe(limit: Int) throws -> RunningTool.Outcome {
        let arguments = ["--config", speech.appendingPathComponent("repos.sal").path, order].joined(separator: " ")
        return try RunningTool.run(shell: "ulimit -n \(limit); exec \"$0\" transcribe \(arguments)")
    }

    private var order: String { speech.appendingPathComponent("order-by-stars.slt.wav").path }

    func testTooFewAreNamedAndNothingEndsTheProcess() throws {
        var failures = 0
        for limit in 10..<32 {
            let outcome = try transcribe(limit: limit)
            if outcome.status == 0 {
                XCTAssertEqual(outcome.lines, ["sort: order by [stars](sort_field)"], "limit \(limit)")
            } else {
                failures += 1
                XCTAssertEqual(outcome.status, 1, "limit \(limit): \(outcome.error)")
                XCTAssertEqual(outcome.output, "", "limit \(limit)")
                let isNamed = ["file descriptors", "Too many open files"].contains { outcome.error.contains($0) }
                XCTAssertTrue(isNamed, "limit \(limit): \(outcome.error)")
                XCTAssertEqual(outcome.error.split(separator: "\n").count, 1, "limit \(limit): \(outcome.error)")
            }
        }
        XCTAssertGreaterThan(failures, 5)
    }

    func testEnoughAreEnough() throws {
        XCTAssertEqual(try transcribe(limit: 40).lines, ["sort: order by [stars](sort_field)"])
    }
}
