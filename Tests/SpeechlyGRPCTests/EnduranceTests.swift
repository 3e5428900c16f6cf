import Foundation
import SpeechlyGRPC
import SpeechlySync
import TestSupport
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
            memory = try Heap.allocated()
        }

        /// Pools that grow and shrink with what there is to do, up to a multiple of the number of processors: libgrpc's
        /// executor, its timers and its event engine. The workers of Dispatch, which run the test's own tasks, have no
        /// name in common.
        static let pools = ["default-executo", "grpc_global_tim", "event_engine"]

        /// Without pools.
        var ownThreads: [String: Int] {
            threads.filter { !Self.pools.contains($0.key) && !$0.key.contains("qos") }
        }

        /// What is left when everything under way has ended.
        static func settled() throws -> Use {
            var use = try Use()
            var quiet = 0
            while quiet < 10 {
                usleep(20_000)
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

    /// Waits for a call's events without a task: what Dispatch keeps for its own use is not looked at here.
    private final class Events: Sendable {
        private let message = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private let status = Locked<GRPCStatus?>(nil)

        func handle(_ event: BidirectionalCall.Event) {
            switch event {
            case .message: message.signal()
            case .end(let status):
                self.status.withLock { $0 = status }
                end.signal()
            case .initialMetadata, .writable: break
            }
        }

        func waitForMessage() -> Bool { message.wait(timeout: .now() + 30) == .success }

        func waitForEnd() -> GRPCStatus? {
            _ = end.wait(timeout: .now() + 30)
            return status.withLock { $0 }
        }
    }

    private func round(_ index: Int, _ method: String, _ standing: GRPCAddress) throws {
        let kills = index % 2 == 1
        let (server, address) = kills ? try startEchoServer() : (nil, standing)
        let channel = try Channel(address: address, configuration: .init(ownConnection: true))
        let events = Events()
        let call = try BidirectionalCall(channel: channel, path: method) { events.handle($0) }
        XCTAssertEqual(call.send([UInt8](repeating: 1, count: 3200)), .sent)
        XCTAssertTrue(events.waitForMessage())
        if let server { server.kill() } else { call.cancel() }
        XCTAssertEqual(events.waitForEnd()?.code, kills ? .unavailable : .cancelled)
        channel.close()
    }

    /// What a thousand rounds use more than the hundred before them.
    private func growth(_ method: String) throws -> (before: Use, after: Use) {
        let (server, address) = try startEchoServer()
        defer { server.kill() }
        for index in 0..<100 { try round(index, method, address) }
        let before = try Use.settled()
        for index in 0..<1000 { try round(index, method, address) }
        let after = try Use.settled()
        let allocated = (after.memory - before.memory) / 1024
        let resident = (after.resident - before.resident) / 1024
        print("a thousand rounds: \(allocated) KiB more allocated, \(resident) KiB more resident")
        XCTAssertEqual(after.ownThreads, before.ownThreads)
        for pool in Use.pools {
            XCTAssertLessThanOrEqual(
                after.threads[pool] ?? 0, 2 * ProcessInfo.processInfo.processorCount, "\(pool)")
        }
        // Those that other tests have left may have been closed meanwhile.
        XCTAssertLessThanOrEqual(after.descriptors, before.descriptors)
        return (before, after)
    }

    func testAThousandRoundsLeaveNothing() throws {
        // What is lost is lost every time; what the allocator takes from the system is not.
        var resident = 0
        for _ in 0..<3 {
            let (before, after) = try growth(Method.events)
            // A sanitizer keeps freed memory on purpose.
            guard !isSanitized else { return }
            XCTAssertLessThanOrEqual(after.memory - before.memory, 1 << 20)
            resident = after.resident - before.resident
            if resident <= 1 << 20 { break }
        }
        XCTAssertLessThanOrEqual(resident, 1 << 20)
    }

    func testAThousandRoundsServedByTasksLeaveNothing() throws {
        let (before, after) = try growth(Method.stream)
        guard !isSanitized else { return }
        // Each of Dispatch's workers keeps up to 1,024 pieces of memory for later.
        XCTAssertLessThanOrEqual(after.memory - before.memory, 2 << 20)
    }
}
