import Foundation
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

    /// A closure that stands for a generic parameter is wrapped when it comes out and again when it goes back in, so
    /// that each look at it makes it longer. In a struct it is not.
    func testNoClosureStandsBareInALock() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try XCTUnwrap(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        XCTAssertGreaterThan(files.count, 100)
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            let lines = text.split(separator: "\n").filter { $0.contains("Locked<") && $0.contains("->") }
            XCTAssertEqual(lines, [], file)
        }
    }
}
