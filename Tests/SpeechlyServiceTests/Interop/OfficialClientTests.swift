import Foundation
import Speechly
import SpeechlyService
import TestSupport
import XCTest

/// The service against the official Python stubs, in a process of their own.
///
/// `SPEECHLY_PYTHON` names a Python that has `speechly-api` and `grpcio` of PyPI; otherwise `python3` is tried.
final class OfficialClientTests: XCTestCase {
    private struct Report: Decodable {
        struct Message: Decodable {
            var context: String
            var segment: Int
            var kind: String
            var word: String?
            var intent: String?
            var entity: String?
            var value: String?
        }

        struct Batch: Decodable {
            var status: String
            var reference: String
            var text: String
        }

        var oldLogin: [String]
        var batch: Batch
        var validForS: Int
        var expiresAt: String
        var annotated: [String]
        var messages: [Message]
        var badDevice: [String]
        var noToken: [String]
        var noConfig: [String]
    }

    private static var python: String { ProcessInfo.processInfo.environment["SPEECHLY_PYTHON"] ?? "python3" }

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [Self.python] + arguments
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return (status, try Data(contentsOf: output))
    }

    func testTheOfficialStubs() async throws {
        let probe = try await run(["-c", "import grpc, speechly.slu.v1.slu_pb2_grpc"])
        guard probe.status == 0 else {
            throw XCTSkip("\(Self.python) has no speechly-api and grpcio (pip install them, set SPEECHLY_PYTHON)")
        }
        let service = try EmbeddedService(configuration: SpeechCase.configuration())
        let address = try XCTUnwrap(service.start(listen: [GRPCAddress(addr: "grpc://127.0.0.1:0")]).first)
        let script = TestCases.directory.deletingLastPathComponent().appendingPathComponent(
            "Interop/official_client.py")
        let cases = try SpeechCase.all().filter { $0.file.hasSuffix(".wav") }
        let files = cases.map { TestCases.url("speech/\($0.file)").path }
        let (status, output) = try await run(
            [script.path, "\(address.host):\(address.port)", ServiceHarness.appId] + files)
        XCTAssertEqual(status, 0)
        let report = try JSONDecoder().decode(Report.self, from: output)
        XCTAssertEqual(report.oldLogin, ["filter"])
        XCTAssertEqual(report.batch.status, "STATUS_DONE")
        XCTAssertEqual(report.batch.reference, "interop")
        XCTAssertEqual(report.batch.text, cases.first?.text)
        XCTAssertEqual(report.validForS, 86_400)
        XCTAssertTrue(report.expiresAt.hasSuffix("+00:00"))
        XCTAssertEqual(report.annotated, ["*filter show me [go|go](language) repos"])
        XCTAssertEqual(report.badDevice.first, "INVALID_ARGUMENT")
        XCTAssertEqual(report.noToken.first, "PERMISSION_DENIED")
        XCTAssertEqual(report.noConfig.first, "INVALID_ARGUMENT")
        let contexts = report.messages.filter { $0.kind == "started" }.map(\.context)
        XCTAssertEqual(contexts.count, cases.count)
        for (context, item) in zip(contexts, cases) {
            let messages = report.messages.filter { $0.context == context }
            XCTAssertEqual(messages.first?.kind, "started")
            XCTAssertEqual(messages.last?.kind, "finished")
            XCTAssertEqual(messages.compactMap(\.word).joined(separator: " "), item.text)
            XCTAssertEqual(messages.compactMap(\.intent), [item.intent])
            XCTAssertEqual(messages.compactMap(\.value), item.entities.map(\.value))
        }
        await service.shutdown(grace: .seconds(5))
    }
}
