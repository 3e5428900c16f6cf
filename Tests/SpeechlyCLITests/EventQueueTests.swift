import SpeechlySync
import XCTest

@testable import SpeechlyCLI

final class EventQueueTests: XCTestCase {
    func testKeepsAllInOrder() async {
        let queue = EventQueue<Int>(limit: 4)
        for number in 0..<5_000 { queue.push(number) }
        queue.finish()
        queue.push(-1)
        var seen: [Int] = []
        while let number = await queue.next() { seen.append(number) }
        XCTAssertEqual(seen, Array(0..<5_000))
    }

    func testAWriterWaitsForRoomAndOffersNothingWithoutIt() async {
        let queue = EventQueue<Int>(limit: 2)
        queue.push(0)
        await queue.waitForRoom()
        queue.push(1)
        queue.offer(9)
        let hasRoom = Locked(false)
        let writer = Task {
            await queue.waitForRoom()
            hasRoom.withLock { $0 = true }
        }
        XCTAssertFalse(hasRoom.withLock { $0 })
        let first = await queue.next()
        await writer.value
        queue.finish()
        let rest = [await queue.next(), await queue.next()]
        XCTAssertEqual([first] + rest, [0, 1, nil])
    }

    func testTheEndLetsWritersGo() async {
        let queue = EventQueue<Int>(limit: 1)
        queue.push(0)
        let writer = Task { await queue.waitForRoom() }
        queue.finish()
        await writer.value
    }
}
