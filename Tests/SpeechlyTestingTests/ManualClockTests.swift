import SpeechlySync
import SpeechlyTesting
import XCTest

final class ManualClockTests: XCTestCase {
    func testWakesSleepersInTheOrderOfTheirTimes() async throws {
        let clock = ManualClock()
        let order = Locked<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (seconds, count) in [(3, 1), (1, 2), (2, 3)] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    order.withLock { $0.append(seconds) }
                }
                await clock.waitForSleepers(count)
            }
            for (left, expected) in [(2, [1]), (1, [1, 2]), (0, [1, 2, 3])] {
                clock.advance(by: .seconds(1))
                XCTAssertEqual(clock.sleeperCount, left)
                try await group.next()
                XCTAssertEqual(order.withLock { $0 }, expected)
            }
        }
        XCTAssertEqual(clock.now.offset, .seconds(3))
    }

    func testDoesNotWaitForThePast() async throws {
        let clock = ManualClock()
        try await clock.sleep(for: .zero)
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock().now)
    }

    func testEndsASleepThatIsCancelled() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertEqual(clock.sleeperCount, 0)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        let second = await early.result
        XCTAssertThrowsError(try second.get())
    }
}
