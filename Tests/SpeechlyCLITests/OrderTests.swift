import SpeechlyTesting
import TestSupport
import XCTest

/// What is printed is all that came, in the order of speech, however much comes at once and however slow the reader is.
final class OrderTests: XCTestCase {
    private let count = 1_000

    private func arguments(_ server: MockSpeechlyServer, _ more: String...) -> [String] {
        [
            "transcribe", "--slu-addr", server.address.description, "--app-id",
            "9e1fdd76-1f0b-4b0a-8ad1-5d2f8a9e0c11", TestCases.url("speech/order-by-stars.slt.wav").path,
        ] + more
    }

    /// A server that says all segments at once.
    private func server() throws -> MockSpeechlyServer {
        var script = StreamScript()
        for id in Int32(0)..<Int32(count) {
            script = script.on(
                .stop(), .send(.transcript("w\(id)", index: 0).segment(id)), .send(.segmentEnd.segment(id)))
        }
        return try MockSpeechlyServer(streams: [script])
    }

    func testPrintsAThousandSegmentsInOrder() throws {
        let server = try server()
        let outcome = try RunningTool.run(arguments(server, "--json"))
        XCTAssertEqual(outcome.status, 0, outcome.error)
        let ids = try outcome.objects().compactMap { $0["segmentId"] as? Int }
        XCTAssertEqual(ids, Array(0..<count))
    }

    func testPrintsAllForAReaderThatComesLate() throws {
        let home = try TemporaryHome()
        let server = try server()
        let tool = try RunningTool(arguments(server), home: home.url)
        // All has been sent, and nothing read.
        let done = expectation(description: "sent")
        Task {
            try await server.received("the stop") { $0.contexts.first?.isStopped == true }
            done.fulfill()
        }
        wait(for: [done], timeout: 30)
        let outcome = try tool.finish()
        XCTAssertEqual(outcome.status, 0, outcome.error)
        XCTAssertEqual(outcome.lines, (0..<count).map { "w\($0)" })
    }
}
