import XCTest

@testable import SpeechlySync

final class EventHubTests: XCTestCase {
    func testASlowReaderMissesTheOldestAndIsTold() async {
        let hub = EventHub<Int> { -$0 }
        let stream = hub.subscribe()
        for value in 1...300 { hub.publish(value) }
        hub.finish()
        var read: [Int] = []
        for await value in stream { read.append(value) }
        XCTAssertEqual(read, [-44] + Array(45...300))
    }

    func testWithoutAGapElementTheOldestAreJustMissing() async {
        let hub = EventHub<Int>()
        let stream = hub.subscribe()
        for value in 1...257 { hub.publish(value) }
        hub.finish()
        var read: [Int] = []
        for await value in stream { read.append(value) }
        XCTAssertEqual(read, Array(2...257))
    }

    func testEachSubscriptionGetsWhatComesAfterIt() async {
        let hub = EventHub<Int>()
        let first = hub.subscribe()
        hub.publish(1)
        let second = hub.subscribe()
        hub.publish(2)
        hub.finish()
        var read: [[Int]] = [[], []]
        for await value in first { read[0].append(value) }
        for await value in second { read[1].append(value) }
        XCTAssertEqual(read, [[1, 2], [2]])
        for await value in hub.subscribe() { XCTFail("\(value)") }
    }

    func testACancelledReaderEnds() async {
        let hub = EventHub<Int>()
        let stream = hub.subscribe()
        let task = Task {
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        task.cancel()
        let count = await task.value
        XCTAssertEqual(count, 0)
    }

    func testReadersThatWaitGetEverything() async {
        let hub = EventHub<Int>()
        let stream = hub.subscribe()
        let task = Task {
            var read: [Int] = []
            for await value in stream { read.append(value) }
            return read
        }
        for value in 0..<200 {
            hub.publish(value)
            await Task.yield()
        }
        hub.finish()
        let read = await task.value
        XCTAssertEqual(read, Array(0..<200))
    }
}
