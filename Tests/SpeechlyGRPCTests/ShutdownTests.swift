import SpeechlyGRPC
import SpeechlySync
import XCTest

final class ShutdownTests: XCTestCase {
    /// A call that is told to end by a shutdown while its client goes on sending.
    private func lastWords(_ index: Int) async throws -> (messages: Int, end: GRPCStatus) {
        let running = Locked<ServerCall?>(nil)
        let server = Server(address: .anyPort)
        server.registerBidirectional("/t/Last") { call in
            running.withLock { $0 = call }
            _ = call.send([0])
            return { _ in }
        }
        let recorder = Recorder()
        let channel = try Channel(address: server.start(), configuration: .init(ownConnection: true))
        let call = try BidirectionalCall(channel: channel, path: "/t/Last") { recorder.handle($0) }
        _ = await recorder.messages(1)
        let talking = Task.detached {
            while !Task.isCancelled, call.send([UInt8](repeating: 1, count: 3_200)) != .closed {}
        }
        async let stopped: Void = server.shutdown(grace: .seconds(30))
        let ending = try XCTUnwrap(running.withLock { $0 })
        for _ in 0..<20 { _ = ending.send([UInt8](repeating: 2, count: 1_000)) }
        ending.finish(GRPCStatus(code: .unavailable, message: "the service goes down"))
        let end = await recorder.end()
        talking.cancel()
        await stopped
        running.withLock { $0 = nil }
        return (recorder.received.count, end)
    }

    func testWhatIsSaidBeforeAShutdownArrives() async throws {
        for index in 0..<100 {
            let (messages, end) = try await lastWords(index)
            XCTAssertEqual(messages, 21, "\(index): \(end)")
            XCTAssertEqual(end, GRPCStatus(code: .unavailable, message: "the service goes down"), "\(index)")
        }
    }
}
