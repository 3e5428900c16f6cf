import Foundation
import SpeechlyGRPC
import XCTest

/// Nothing is left behind: a thousand times open, cancel or kill the peer, close.
final class EnduranceTests: XCTestCase {
    private struct Use {
        let threads: Int
        let descriptors: Int
        let memory: Int

        init() throws {
            var threads = 0
            var memory = 0
            for line in try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n") {
                let number = Int(line.filter(\.isNumber)) ?? 0
                if line.hasPrefix("Threads:") { threads = number }
                if line.hasPrefix("RssAnon:") { memory = number * 1024 }
            }
            self.threads = threads
            self.memory = memory
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }

        /// What is left when everything under way has ended: the lowest of several looks.
        static func settled() async throws -> Use {
            var use = try Use()
            var quiet = 0
            while quiet < 10 {
                try await Task.sleep(for: .milliseconds(20))
                let now = try Use()
                let isSame = now.threads == use.threads && now.descriptors == use.descriptors
                quiet = isSame ? quiet + 1 : 0
                use = now
            }
            // What the allocator keeps for later is not in use.
            if let trim = dlsym(nil, "malloc_trim") {
                _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
            }
            return try Use()
        }
    }

    private var isSanitized: Bool {
        dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    }

    private func round(_ index: Int, _ standing: GRPCAddress) async throws {
        let kills = index % 2 == 1
        let (server, address) = kills ? try startEchoServer() : (nil, standing)
        let channel = try Channel(address: address, configuration: .init(ownConnection: true))
        let recorder = Recorder()
        let call = try BidirectionalCall(
            channel: channel, path: index % 4 < 2 ? Method.events : Method.stream
        ) { recorder.handle($0) }
        XCTAssertEqual(call.send([UInt8](repeating: 1, count: 3200)), .sent)
        _ = await recorder.messages(1)
        if let server { server.kill() } else { call.cancel() }
        let end = await recorder.end()
        XCTAssertEqual(end.code, kills ? .unavailable : .cancelled)
        channel.close()
        if let server { await server.shutdown(grace: .zero) }
    }

    func testAThousandRoundsLeaveNothing() async throws {
        let (server, address) = try startEchoServer()
        for index in 0..<100 { try await round(index, address) }
        let before = try await Use.settled()
        for index in 0..<1000 { try await round(index, address) }
        let after = try await Use.settled()
        XCTAssertEqual(after.threads, before.threads)
        XCTAssertEqual(after.descriptors, before.descriptors)
        // A sanitizer keeps freed memory on purpose.
        if !isSanitized { XCTAssertLessThanOrEqual(after.memory - before.memory, 1 << 20) }
        print("a thousand rounds: \((after.memory - before.memory) / 1024) KiB more, \(after.threads) threads")
        server.kill()
    }
}
