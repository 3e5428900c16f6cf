import Foundation

/// The newest audio of a warm microphone, for the beginning of the next recording. Belongs to the capture thread.
final class CaptureHistory {
    private let bytesPerFrame: Int
    private let capacity: Int
    private let storage: UnsafeMutableRawPointer
    private var start = 0
    /// How many frames are kept.
    private(set) var count = 0

    init(capacity: Int, bytesPerFrame: Int) {
        self.capacity = max(0, capacity)
        self.bytesPerFrame = bytesPerFrame
        storage = .allocate(byteCount: max(1, self.capacity) * bytesPerFrame, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Keeps frames, in the place of the oldest.
    func add(_ source: UnsafeRawPointer, frames: Int) {
        let skipped = max(0, frames - capacity)
        var (source, rest) = (source + skipped * bytesPerFrame, frames - skipped)
        while rest > 0 {
            let end = (start + count) % capacity
            let part = min(rest, capacity - end)
            memcpy(storage + end * bytesPerFrame, source, part * bytesPerFrame)
            source += part * bytesPerFrame
            rest -= part
            count += part
            if count > capacity {
                start = (start + count - capacity) % capacity
                count = capacity
            }
        }
    }

    /// Gives the frames away, oldest first.
    func take(_ body: (UnsafeRawPointer, Int) -> Void) {
        while count > 0 {
            let part = min(count, capacity - start)
            body(storage + start * bytesPerFrame, part)
            start = (start + part) % capacity
            count -= part
        }
        start = 0
    }

    /// Forgets them.
    func removeAll() {
        start = 0
        count = 0
    }
}
