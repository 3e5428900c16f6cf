import SpeechlySync
import XCTest

@testable import Speechly

final class ConnectTurnsTests: XCTestCase {
    func testOneThatIsAloneBeginsAtOnce() {
        var turns = ConnectTurns()
        for second in 0..<100 {
            let turn = turns.request(now: .seconds(second))
            XCTAssertTrue(turn.begins)
            turns.end(turn.name)
        }
        XCTAssertFalse(turns.isAwaited)
    }

    func testTheFirstToComeAreTheFirstToBegin() {
        var turns = ConnectTurns()
        var begun: [Int] = []
        let names = (0..<100).map { _ in
            let turn = turns.request(now: .zero)
            if turn.begins { begun.append(turn.name) }
            return turn.name
        }
        XCTAssertEqual(begun.count, turns.group)
        for tick in 1...100 {
            let group = turns.begin(now: turns.interval * tick)
            XCTAssertLessThanOrEqual(group.count, turns.group)
            begun += group
            for name in group { turns.end(name) }
        }
        XCTAssertEqual(begun, names)
    }

    func testTimeThatHasPassedIsNotMadeUpFor() {
        var turns = ConnectTurns()
        for _ in 0..<100 { _ = turns.request(now: .zero) }
        XCTAssertEqual(turns.begin(now: .milliseconds(9)).count, 0)
        XCTAssertEqual(turns.begin(now: .seconds(1)).count, turns.group)
        XCTAssertEqual(turns.begin(now: .seconds(1)).count, 0)
    }

    func testAFewAreUnderWayAtATime() {
        var turns = ConnectTurns()
        turns.patience = .seconds(1)
        var begun: [Int] = []
        for _ in 0..<100 {
            let turn = turns.request(now: .zero)
            if turn.begins { begun.append(turn.name) }
        }
        for tick in 1..<100 { begun += turns.begin(now: .milliseconds(10 * tick)) }
        XCTAssertEqual(begun.count, turns.limit, "none has ended")
        turns.end(begun[0])
        XCTAssertEqual(turns.begin(now: .milliseconds(995)).count, 1)
        XCTAssertEqual(turns.begin(now: .milliseconds(1015)).count, turns.group, "the first get no answer")
    }

    func testOneThatComesTakesNobodysTurn() {
        var turns = ConnectTurns()
        let names = (0...turns.group).map { _ in turns.request(now: .zero).name }
        XCTAssertFalse(turns.request(now: .seconds(1)).begins)
        XCTAssertEqual(turns.begin(now: .seconds(1)).first, names.last)
    }

    func testOneThatGoesMakesRoom() {
        var turns = ConnectTurns()
        let names = (0..<20).map { _ in turns.request(now: .zero).name }
        for name in names.dropFirst(turns.group) { turns.end(name) }
        XCTAssertFalse(turns.isAwaited)
        XCTAssertEqual(turns.begin(now: .seconds(1)).count, 0)
    }

    /// What the numbers are for: however late the ticks and the attempts, no 100 ms see more than 100 attempts.
    func testNoMoreThanAHundredInAHundredMilliseconds() {
        var random = SplitMix(seed: 7)
        for _ in 0..<20 {
            var turns = ConnectTurns()
            var waits = 1000
            for _ in 0..<waits where turns.request(now: .zero).begins { waits -= 1 }
            // The attempts that have begun, and when each of them reaches the server: as late as its turn allows.
            var arrivals = (0..<turns.group).map { _ in 0 }
            var pending: [(name: Int, at: Int)] = []
            var now = 0
            while waits > 0 {
                now += 10 + random.below(4) * random.below(30)
                for attempt in pending where attempt.at <= now { turns.end(attempt.name) }
                pending.removeAll { $0.at <= now }
                let begun = turns.begin(now: .milliseconds(now))
                waits -= begun.count
                for name in begun {
                    let arrival = now + random.below(249)
                    arrivals.append(arrival)
                    pending.append((name, arrival))
                }
            }
            arrivals.sort()
            for (index, arrival) in arrivals.enumerated() where index >= 100 {
                XCTAssertGreaterThan(arrival - arrivals[index - 100], 99)
            }
        }
    }

    private struct SplitMix {
        private var state: UInt64
        init(seed: UInt64) { state = seed }
        mutating func below(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
        }
    }
}

final class ConnectPacerTests: XCTestCase {
    /// Every one of many gets its turn; one that is cancelled holds up nobody.
    func testEveryoneConnects() async throws {
        let time = ManualTime()
        let pacer = ConnectPacer(clock: time)
        let order = Locked<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for index in 0..<200 {
            tasks.append(Task { try await pacer.connect { order.withLock { $0.append(index) } } })
            // Each is in the queue, or through, before the next comes.
            while order.withLock({ $0.count }) + pacer.waiterCount < index + 1 { await Task.yield() }
        }
        let cancelled = 150
        tasks[cancelled].cancel()
        while order.withLock({ $0.count }) < 199 {
            time.advance(by: .milliseconds(10))
            await Task.yield()
        }
        for (index, task) in tasks.enumerated() {
            do { try await task.value } catch {
                XCTAssertEqual(index, cancelled)
                XCTAssertTrue(error is CancellationError)
            }
        }
        XCTAssertEqual(order.withLock { $0.sorted() }, (0..<200).filter { $0 != cancelled })
        XCTAssertEqual(pacer.waiterCount, 0)
    }
}
