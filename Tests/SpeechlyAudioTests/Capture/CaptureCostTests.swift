import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// What a piece of audio costs does not depend on how many have been before it.
final class CaptureCostTests: XCTestCase {
    func testTheWayToTheDelegateDoesNotGrow() async throws {
        let pieces = 300
        let system = try FakePCM((0..<pieces).map { _ in .frames(320) })
        let recorder = try AudioRecorder(
            sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", chunk: .milliseconds(20),
            tail: .zero, system: system, time: VirtualTime().captureTime)
        let depths = Depths(pieces)
        recorder.delegate = depths
        try recorder.start()
        await fulfillment(of: [depths.done], timeout: 60)
        try recorder.suspend()
        let seen = depths.all
        XCTAssertEqual(seen.last, seen.first, "\(Set(seen).sorted())")
    }
}

/// How many calls stand on the stack when the delegate is called.
private final class Depths: AudioRecorderDelegate, Sendable {
    let done = XCTestExpectation(description: "all pieces")
    private let count: Int
    private let depths = Locked<[Int]>([])

    init(_ count: Int) { self.count = count }

    var all: [Int] { depths.withLock { $0 } }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        let depth = Thread.callStackReturnAddresses.count
        let isLast = depths.withLock { depths in
            depths.append(depth)
            return depths.count == count
        }
        if isLast { done.fulfill() }
    }
}
