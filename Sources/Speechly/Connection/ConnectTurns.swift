/// Whose turn it is to connect, of many clients that want to: first come, first served, a few at a time.
///
/// What has passed is never made up for: turns that a busy machine gave late would fall together otherwise. In any
/// 100 ms, no more attempts are on their way than were under way before and have begun since.
struct ConnectTurns {
    /// How many turns may begin together.
    var group = 6
    /// The time between one group and the next.
    var interval = Duration.milliseconds(10)
    /// How many may be under way.
    var limit = 32
    /// How long an attempt counts as under way. One that nobody answers is not to keep others from their servers.
    var patience = Duration.milliseconds(250)

    private var waiting: [Int] = []
    private var underWay: [Int: Duration] = [:]
    private var groupBegan: Duration?
    private var groupCount = 0
    private var nextName = 0

    /// Whether anybody waits for a turn.
    var isAwaited: Bool { !waiting.isEmpty }

    /// Whether this one does.
    func isWaiting(_ name: Int) -> Bool { waiting.contains(name) }

    /// Asks for a turn.
    ///
    /// - Returns: its name, and whether it begins now; one that does not comes out of ``begin(now:)``.
    mutating func request(now: Duration) -> (name: Int, begins: Bool) {
        nextName += 1
        let isFirst = waiting.isEmpty
        waiting.append(nextName)
        return (nextName, isFirst && !begin(now: now).isEmpty)
    }

    /// Gives up a turn, or the place in the queue.
    mutating func end(_ name: Int) {
        if underWay.removeValue(forKey: name) == nil { waiting.removeAll { $0 == name } }
    }

    /// The turns that begin now.
    mutating func begin(now: Duration) -> ArraySlice<Int> {
        underWay = underWay.filter { now - $0.value < patience }
        if groupBegan.map({ now - $0 >= interval }) ?? true {
            groupBegan = now
            groupCount = 0
        }
        let count = max(0, min(waiting.count, group - groupCount, limit - underWay.count))
        let begun = waiting[..<count]
        waiting.removeFirst(count)
        groupCount += count
        for name in begun { underWay[name] = now }
        return begun
    }
}
