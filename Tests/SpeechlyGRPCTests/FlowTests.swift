import SpeechlyGRPC
import SpeechlySync
import XCTest

private let chunk = [UInt8](repeating: 7, count: 10_000)

private let enough = 16 << 20

final class FlowTests: XCTestCase {
    private func open(
        _ method: String, _ address: GRPCAddress, limit: Int = 100_000
    ) throws -> (BidirectionalCall, Recorder) {
        let recorder = Recorder()
        let channel = try Channel(
            address: address, configuration: .init(maximumBytesInFlight: limit, ownConnection: true))
        return (try BidirectionalCall(channel: channel, path: method) { recorder.handle($0) }, recorder)
    }

    /// Sends until the call is full for good: a peer that does not read still fills some buffers, but never
    /// more than `enough` bytes of them.
    private func fill(_ call: BidirectionalCall) async -> Int {
        var count = 0
        var quiet = 0
        while quiet < 20, count * chunk.count <= enough {
            if call.send(chunk) == .sent {
                count += 1
                quiet = 0
            } else {
                quiet += 1
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
        return count
    }

    func testAPeerThatNeverReads() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.silent, address)
        let count = await fill(call)
        XCTAssertEqual(call.send(chunk), .full)
        XCTAssertLessThanOrEqual(call.bytesInFlight, 100_000)
        // The limit, and what windows and socket buffers hold.
        XCTAssertLessThan(count * chunk.count, enough)
        XCTAssertEqual(call.send([1], urgent: true), .sent)
        XCTAssertGreaterThan(call.bytesInFlight, 0)
        let waiting = Task { try await call.sendWhenWritable(chunk) }
        let cancelled = Task { try await call.sendWhenWritable(chunk) }
        cancelled.cancel()
        let cancelledResult = await cancelled.result
        XCTAssertThrowsError(try cancelledResult.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
        call.cancel(GRPCStatus(code: .aborted, message: "enough"))
        let waitingResult = await waiting.result
        XCTAssertThrowsError(try waitingResult.get()) { XCTAssertEqual(($0 as? GRPCStatus)?.code, .aborted) }
        let end = await recorder.end()
        XCTAssertEqual(end.code, .aborted)
        XCTAssertEqual(end.message, "enough")
        XCTAssertEqual(call.bytesInFlight, 0)
        server.kill()
    }

    func testAPeerThatReadsAgain() async throws {
        let reading = Locked<ServerCall?>(nil)
        let received = Locked(0)
        let server = Server(address: .anyPort)
        server.registerBidirectional("/t/Late") { call in
            call.pauseReading()
            reading.withLock { $0 = call }
            return { event in
                switch event {
                case .message(let bytes): received.withLock { $0 += bytes.count }
                case .halfClosed: call.finish()
                case .writable, .ended: break
                }
            }
        }
        let address = try server.start()
        let (call, recorder) = try open("/t/Late", address)
        let count = await fill(call)
        XCTAssertEqual(call.send(chunk), .full)
        async let sent: Void = {
            for _ in 0..<50 { try await call.sendWhenWritable(chunk) }
        }()
        reading.withLock { $0 }?.resumeReading()
        try await sent
        await recorder.writable()
        XCTAssertGreaterThan(recorder.writableCount, 0)
        call.closeSend()
        let end = await recorder.end()
        XCTAssertEqual(end, .ok)
        XCTAssertEqual(received.withLock { $0 }, (count + 50) * chunk.count)
        reading.withLock { $0 = nil }
        server.kill()
    }

    func testUrgentGoesAheadOfTheQueue() async throws {
        let order = Locked<[UInt8]>([])
        let reading = Locked<ServerCall?>(nil)
        let server = Server(address: .anyPort)
        server.registerBidirectional("/t/Order") { call in
            call.pauseReading()
            reading.withLock { $0 = call }
            return { event in
                if case .message(let bytes) = event { order.withLock { $0.append(bytes[0]) } }
                if case .halfClosed = event { call.finish() }
            }
        }
        let address = try server.start()
        let (call, recorder) = try open("/t/Order", address)
        _ = await fill(call)
        XCTAssertEqual(call.send([1], urgent: true), .sent)
        XCTAssertEqual(call.send([2], urgent: true), .sent)
        call.closeSend()
        XCTAssertEqual(call.send([3], urgent: true), .closed)
        reading.withLock { $0 }?.resumeReading()
        let end = await recorder.end()
        XCTAssertEqual(end, .ok)
        let bytes = order.withLock { $0 }
        let first = try XCTUnwrap(bytes.firstIndex(of: 1))
        XCTAssertEqual(bytes[first + 1], 2)
        XCTAssertEqual(bytes.last, 7)
        reading.withLock { $0 = nil }
        server.kill()
    }

    func testAMessageLongerThanTheLimit() async throws {
        let (server, address) = try startEchoServer()
        let (call, recorder) = try open(Method.stream, address, limit: 1000)
        XCTAssertEqual(call.send(chunk), .sent)
        let messages = await recorder.messages(1)
        XCTAssertEqual(messages, [chunk])
        server.kill()
    }

    func testPausedReadingBoundsWhatArrives() async throws {
        let sent = Locked(0)
        let server = Server(address: .anyPort)
        server.registerBidirectional("/t/Flood") { stream in
            for _ in 0..<10_000 {
                try await stream.send([UInt8](repeating: 1, count: 10_000))
                sent.withLock { $0 += 10_000 }
            }
        }
        let address = try server.start()
        let (count, pausing) = (Locked(0), Locked<BidirectionalCall?>(nil))
        let ended = expectation(description: "ended")
        let call = try BidirectionalCall(
            channel: Channel(address: address, configuration: .init(ownConnection: true)), path: "/t/Flood"
        ) { event in
            switch event {
            case .message:
                if count.withLock({
                    $0 += 1; return $0
                }) == 5 {
                    pausing.withLock { $0 }?.pauseReading()
                }
            case .end: ended.fulfill()
            case .initialMetadata, .writable: break
            }
        }
        pausing.withLock { $0 = call }
        // Until the server is stuck.
        var before = -1
        var quiet = 0
        while quiet < 20 {
            let now = sent.withLock { $0 }
            quiet = now == before && now > 0 ? quiet + 1 : 0
            before = now
            try await Task.sleep(for: .milliseconds(10))
        }
        if count.withLock({ $0 }) > 5 { XCTFail("the handler paused after five messages") }
        XCTAssertLessThan(before, 32 << 20)
        pausing.withLock { $0 = nil }
        call.cancel()
        await fulfillment(of: [ended], timeout: 30)
        server.kill()
    }

    func testMessageSizeLimits() async throws {
        let (server, address) = try startEchoServer(.anyPort, .init(maximumReceiveMessageBytes: 1000))
        let channel = try Channel(address: address, configuration: .init(maximumReceiveMessageBytes: 500))
        let up = await status { try await channel.unary(path: Method.echo, request: chunk) }
        XCTAssertEqual(up?.code, .resourceExhausted)
        let down = await status {
            try await channel.unary(path: Method.echo, request: [UInt8](repeating: 0, count: 600))
        }
        XCTAssertEqual(down?.code, .resourceExhausted)
        let fits = try await channel.unary(path: Method.echo, request: [UInt8](repeating: 0, count: 500))
        XCTAssertEqual(fits.message.count, 500)
        server.kill()
    }
}
