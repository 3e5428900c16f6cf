import Synchronization

/// Pieces of audio on their way from one thread to another, neither of which ever waits for the other.
///
/// `@unchecked Sendable`: one thread writes and one reads; a slot belongs to the writer until `written`
/// is stored past it, and to the reader from then until `consumed` is.
final class CaptureRing: @unchecked Sendable {
    /// The most that one piece holds, in bytes.
    let slotSize: Int

    private let slotCount: Int
    private let storage: UnsafeMutableRawPointer
    private let counts: UnsafeMutablePointer<Int>
    private let written = Atomic<Int>(0)
    private let consumed = Atomic<Int>(0)

    init(slotCount: Int, slotSize: Int) {
        self.slotCount = slotCount
        self.slotSize = slotSize
        storage = .allocate(byteCount: slotCount * slotSize, alignment: 16)
        counts = .allocate(capacity: slotCount)
        counts.initialize(repeating: 0, count: slotCount)
    }

    deinit {
        storage.deallocate()
        counts.deallocate()
    }

    // MARK: Writer

    /// How many pieces were written so far.
    var writtenCount: Int { written.load(ordering: .acquiring) }

    /// How many pieces there is room for, the one that is being written included.
    var freeCount: Int { slotCount - written.load(ordering: .relaxed) + consumed.load(ordering: .acquiring) }

    /// The memory of the next piece; `nil` while the ring is full.
    func slotToWrite() -> UnsafeMutableRawPointer? {
        let next = written.load(ordering: .relaxed)
        guard next - consumed.load(ordering: .acquiring) < slotCount else { return nil }
        return storage + next % slotCount * slotSize
    }

    /// Hands the piece over, with `count` bytes in it.
    func publish(_ count: Int) {
        let next = written.load(ordering: .relaxed)
        counts[next % slotCount] = count
        written.store(next + 1, ordering: .releasing)
    }

    // MARK: Reader

    /// How many pieces were read so far.
    var consumedCount: Int { consumed.load(ordering: .acquiring) }

    /// The oldest piece; `nil` while there is none.
    func front() -> UnsafeRawBufferPointer? {
        let next = consumed.load(ordering: .relaxed)
        guard next < written.load(ordering: .acquiring) else { return nil }
        return UnsafeRawBufferPointer(start: storage + next % slotCount * slotSize, count: counts[next % slotCount])
    }

    /// Gives the oldest piece's memory back.
    func pop() {
        consumed.store(consumed.load(ordering: .relaxed) + 1, ordering: .releasing)
    }
}
