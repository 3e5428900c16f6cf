import Speechly
import XCTest

@testable import SpeechlyCLI

final class EventRepairTests: XCTestCase {
    private func segment(_ id: Int, isFinal: Bool = true) -> Segment {
        Segment(
            segmentId: id, contextId: "c", isFinal: isFinal, intent: Intent(value: "", isFinal: isFinal), entities: [],
            transcripts: [])
    }

    func testPutsBackFinalSegmentsThatWereDropped() {
        var repair = EventRepair()
        let end = ClientEvent.contextStopped(AudioContext(id: "c", segments: [segment(0), segment(1), segment(2)]))
        XCTAssertEqual(repair.repaired(.segmentUpdated(segment(0, isFinal: false))).count, 1)
        XCTAssertEqual(repair.repaired(.dropped(7)), [.dropped(7)])
        XCTAssertEqual(repair.repaired(.segmentUpdated(segment(1))), [.segmentUpdated(segment(1))])
        XCTAssertEqual(
            repair.repaired(end), [.segmentUpdated(segment(0)), .segmentUpdated(segment(2)), end])
    }

    func testRepeatsNothingThatCame() {
        var repair = EventRepair()
        let end = ClientEvent.contextStopped(AudioContext(id: "c", segments: [segment(0)]))
        XCTAssertEqual(repair.repaired(.contextStarted(contextId: "c")).count, 1)
        XCTAssertEqual(repair.repaired(.segmentUpdated(segment(0))).count, 1)
        XCTAssertEqual(repair.repaired(end), [end])
    }
}
