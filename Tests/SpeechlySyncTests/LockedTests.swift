import SpeechlySync
import XCTest

final class LockedTests: XCTestCase {
    func testEveryIncrementOfManyThreadsCounts() {
        let counter = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
        }
        XCTAssertEqual(counter.withLock { $0 }, 80_000)
    }

    func testAThrowingBodyReleasesTheLock() {
        struct Failure: Error {}
        let box = Locked("a")
        XCTAssertThrowsError(try box.withLock { _ throws(Failure) in throw Failure() })
        XCTAssertEqual(box.withLock { $0 }, "a")
    }
}
