import Foundation

/// Reads frames from a device into a stream's ring. Belongs to the capture thread.
///
/// When the ring is full because the other side does not keep up, frames are read all the same, so that the
/// device goes on, and are counted as lost.
struct CaptureWriter {
    let stream: CaptureStream
    private let bytesPerFrame: Int
    private let scratch: FrameScratch
    private var slot: UnsafeMutableRawPointer?
    private var filled = 0
    private var lostFrames = 0
    /// Whether there are pieces that nobody has been told of.
    private var hasNews = false

    init(_ stream: CaptureStream) {
        self.stream = stream
        bytesPerFrame = stream.parameters.bytesPerFrame
        scratch = FrameScratch(byteCount: stream.ring.slotSize)
    }

    /// How many frames can be taken before any is lost.
    var room: Int {
        let current = slot == nil ? 0 : stream.ring.slotSize - filled
        return (current + (stream.ring.freeCount - (slot == nil ? 0 : 1)) * stream.ring.slotSize) / bytesPerFrame
    }

    /// Reads up to `limit` frames. Returns how many, or a negative `errno`; tells `delivery` of full pieces, once.
    mutating func read(_ limit: Int, from device: any PCMDevice, for delivery: CaptureDelivery) -> Int {
        defer { tellNews(delivery) }
        var total = 0
        while total < limit {
            let target = nextTarget()
            let frames = min(limit - total, (stream.ring.slotSize - filled) / bytesPerFrame)
            // ALSA's virtual devices say that they have read and leave the memory as it was: with old audio in it.
            memset(target + filled, 0, frames * bytesPerFrame)
            let count = device.read(into: target + filled, frames: frames)
            if count < 0 { return total > 0 && count == -Int(EAGAIN) ? total : count }
            if count == 0 { break }
            total += count
            took(count)
        }
        return total
    }

    /// Reads up to `limit` frames for a recording that may come. Returns as `read` does.
    func read(_ limit: Int, from device: any PCMDevice, into history: CaptureHistory) -> Int {
        var total = 0
        while total < limit {
            let frames = min(limit - total, stream.ring.slotSize / bytesPerFrame)
            memset(scratch.memory, 0, frames * bytesPerFrame)
            let count = device.read(into: scratch.memory, frames: frames)
            if count < 0 { return total > 0 && count == -Int(EAGAIN) ? total : count }
            if count == 0 { break }
            history.add(scratch.memory, frames: count)
            total += count
        }
        return total
    }

    /// Takes frames that have been read before.
    mutating func write(_ source: UnsafeRawPointer, frames: Int, for delivery: CaptureDelivery) {
        defer { tellNews(delivery) }
        var (source, rest) = (source, frames)
        while rest > 0 {
            let target = nextTarget()
            let part = min(rest, (stream.ring.slotSize - filled) / bytesPerFrame)
            memcpy(target + filled, source, part * bytesPerFrame)
            source += part * bytesPerFrame
            rest -= part
            took(part)
        }
    }

    /// Counts frames that the device has lost here.
    mutating func lose(_ frames: Int) {
        publish()
        lostFrames += frames
    }

    /// Hands over what has been read so far, and notes what happened behind it.
    mutating func mark(_ event: CaptureStream.Event) {
        publish()
        markLostFrames()
        // Only a delegate that has not come back from a thousand events makes the room scarce.
        while !stream.mark(event) { usleep(10_000) }
    }

    private mutating func took(_ count: Int) {
        guard slot != nil else { return lostFrames += count }
        filled += count * bytesPerFrame
        guard filled == stream.ring.slotSize else { return }
        publish()
        hasNews = true
    }

    /// One system call and one wake-up, however many pieces there are.
    private mutating func tellNews(_ delivery: CaptureDelivery) {
        if hasNews { delivery.signal() }
        hasNews = false
    }

    private mutating func nextTarget() -> UnsafeMutableRawPointer {
        if let slot { return slot }
        guard let next = stream.ring.slotToWrite() else { return scratch.memory }
        markLostFrames()
        slot = next
        return next
    }

    private mutating func publish() {
        if slot != nil && filled > 0 { stream.ring.publish(filled) }
        slot = nil
        filled = 0
    }

    /// Notes where frames are missing, once there is audio behind them or an end.
    private mutating func markLostFrames() {
        if lostFrames > 0, stream.mark(.lost(frames: lostFrames)) { lostFrames = 0 }
    }
}

/// Memory for frames that go nowhere, or not yet.
private final class FrameScratch {
    let memory: UnsafeMutableRawPointer

    init(byteCount: Int) { memory = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { memory.deallocate() }
}
