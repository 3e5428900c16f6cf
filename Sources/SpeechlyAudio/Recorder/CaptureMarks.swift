import Synchronization

/// What happened between two pieces of audio, on its way from one thread to another, neither of which waits.
///
/// `@unchecked Sendable`: one thread writes and one reads; an entry belongs to the writer until `written` is stored
/// past it, and to the reader from then until `consumed` is.
final class CaptureMarks: @unchecked Sendable {
    private struct Mark {
        var position: Int
        var event: CaptureStream.Event
    }

    private let capacity: Int
    private let storage: UnsafeMutablePointer<Mark>
    private let written = Atomic<Int>(0)
    private let consumed = Atomic<Int>(0)

    init(capacity: Int = 1024) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: Mark(position: 0, event: .closed), count: capacity)
    }

    deinit { storage.deallocate() }

    /// Adds an event behind so many pieces. Returns `false` when there is no room.
    func add(_ event: CaptureStream.Event, at position: Int) -> Bool {
        let next = written.load(ordering: .relaxed)
        guard next - consumed.load(ordering: .acquiring) < capacity else { return false }
        storage[next % capacity] = Mark(position: position, event: event)
        written.store(next + 1, ordering: .releasing)
        return true
    }

    /// The oldest event, if it happened behind exactly so many pieces.
    func take(at position: Int) -> CaptureStream.Event? {
        let next = consumed.load(ordering: .relaxed)
        guard next < written.load(ordering: .acquiring) else { return nil }
        let mark = storage[next % capacity]
        guard mark.position == position else { return nil }
        consumed.store(next + 1, ordering: .releasing)
        return mark.event
    }
}
