import Foundation

/// Reads frames from a device into a stream's ring. Belongs to the capture thread.
///
/// When the ring is full because the other side does not keep up, frames are read all the same, so that the
/// device goes on, and are counted as lost.
struct CaptureWriter {
    private let stream: CaptureStream
    private let bytesPerFrame: Int
    private let discarded: DiscardedFrames
    private var slot: UnsafeMutableRawPointer?
    private var filled = 0
    private var lostFrames = 0

    init(_ stream: CaptureStream) {
        self.stream = stream
        bytesPerFrame = stream.parameters.bytesPerFrame
        discarded = DiscardedFrames(byteCount: stream.ring.slotSize)
    }

    /// Reads up to `limit` frames. Returns how many, or a negative `errno`; tells `delivery` of each full piece.
    mutating func read(_ limit: Int, from device: any PCMDevice, for delivery: CaptureDelivery) -> Int {
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
            if slot == nil {
                lostFrames += count
            } else {
                filled += count * bytesPerFrame
                if filled == stream.ring.slotSize {
                    publish()
                    delivery.signal()
                }
            }
        }
        return total
    }

    /// Reads frames and forgets them: they were captured before anybody wanted them.
    func discard(_ limit: Int, from device: any PCMDevice) {
        var rest = limit
        while rest > 0 {
            let count = device.read(into: discarded.memory, frames: min(rest, stream.ring.slotSize / bytesPerFrame))
            if count <= 0 { return }
            rest -= count
        }
    }

    /// Hands over what has been read so far, and notes what happened behind it.
    mutating func mark(_ event: CaptureStream.Event) {
        publish()
        markLostFrames()
        stream.mark(event)
    }

    private mutating func nextTarget() -> UnsafeMutableRawPointer {
        if let slot { return slot }
        guard let next = stream.ring.slotToWrite() else { return discarded.memory }
        markLostFrames()
        slot = next
        return next
    }

    private mutating func publish() {
        if slot != nil && filled > 0 { stream.ring.publish(filled) }
        slot = nil
        filled = 0
    }

    private mutating func markLostFrames() {
        if lostFrames == 0 { return }
        stream.mark(.lost(Double(lostFrames) / Double(stream.parameters.sampleRate)))
        lostFrames = 0
    }
}

/// Memory for frames that nobody reads.
private final class DiscardedFrames {
    let memory: UnsafeMutableRawPointer

    init(byteCount: Int) { memory = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { memory.deallocate() }
}
