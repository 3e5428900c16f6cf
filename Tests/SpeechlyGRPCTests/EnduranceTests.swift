import Foundation
import SpeechlyGRPC
import XCTest

/// Nothing is left behind: a thousand times open, cancel or kill the peer, close.
final class EnduranceTests: XCTestCase {
    private struct Use {
        /// How many there are of each name.
        let threads: [String: Int]
        let descriptors: Int
        /// What the allocator has given out, in bytes: without what it keeps for later, and without stacks.
        let memory: Int
        let resident: Int

        init() throws {
            var threads: [String: Int] = [:]
            for id in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                // A thread may end while it is looked at.
                guard let name = try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8) else {
                    continue
                }
                threads[name.trimmingCharacters(in: .newlines), default: 0] += 1
            }
            var resident = 0
            for line in try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n") {
                let number = Int(line.filter(\.isNumber)) ?? 0
                if line.hasPrefix("RssAnon:") { resident = number * 1024 }
            }
            self.threads = threads
            self.resident = resident
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            memory = try Use.allocated()
        }

        /// Without two pools that have their size from the number of processors and reach it when they are busy:
        /// libgrpc's executor, and the workers of Dispatch that run this test's tasks.
        var ownThreads: [String: Int] { threads.filter { $0.key != "default-executo" && !$0.key.contains("qos") } }

        private static func allocated() throws -> Int {
            var text: UnsafeMutablePointer<CChar>?
            var length = 0
            guard let symbol = dlsym(nil, "malloc_info"), let stream = open_memstream(&text, &length) else {
                throw GRPCStatus(code: .internal, message: "the allocator says nothing about itself")
            }
            typealias Report = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
            _ = unsafeBitCast(symbol, to: Report.self)(0, stream)
            fclose(stream)
            defer { free(text) }
            guard let text else { return 0 }
            let report = String(cString: text)
            // The sums over all heaps come last.
            func last(_ tag: String) -> Int {
                guard let start = report.range(of: tag, options: .backwards),
                    let size = report[start.upperBound...].range(of: "size=\"")
                else { return 0 }
                return Int(report[size.upperBound...].prefix { $0.isNumber }) ?? 0
            }
            return last("<system type=\"current\"") - last("<total type=\"fast\"") - last("<total type=\"rest\"")
                + last("<total type=\"mmap\"")
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
            return use
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
        XCTAssertEqual(after.ownThreads, before.ownThreads)
        XCTAssertEqual(after.threads["speechly-grpc"], 1)
        XCTAssertLessThanOrEqual(after.threads["default-executo"] ?? 0, 2 * ProcessInfo.processInfo.processorCount)
        XCTAssertEqual(after.descriptors, before.descriptors)
        // A sanitizer keeps freed memory on purpose.
        if !isSanitized { XCTAssertLessThanOrEqual(after.memory - before.memory, 1 << 20) }
        let more = (after.memory - before.memory) / 1024
        let resident = (after.resident - before.resident) / 1024
        print(
            "a thousand rounds: \(more) KiB more allocated, \(resident) KiB resident, threads \(before.threads) → \(after.threads)"
        )
        server.kill()
    }
}
