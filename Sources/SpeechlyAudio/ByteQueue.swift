import Foundation

/// Bytes that go in at one end and come out at the other.
struct ByteQueue {
    private var bytes = Data()
    private var start = 0

    /// The number of bytes in the queue.
    var count: Int { bytes.count - start }
    /// Whether there are none.
    var isEmpty: Bool { count == 0 }

    /// Lets `body` append to the bytes; it must do nothing else to them.
    mutating func append(_ body: (inout Data) -> Void) {
        body(&bytes)
    }

    /// Removes and returns the first bytes, `limit` of them or as many as there are.
    mutating func take(atMost limit: Int) -> Data {
        let end = start + min(limit, count)
        let taken = Data(bytes[start..<end])
        start = end
        // Moving the rest only when it is the smaller part keeps the cost per byte constant.
        if start >= bytes.count - start {
            bytes.removeSubrange(0..<start)
            start = 0
        }
        return taken
    }

    /// Removes all bytes.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        start = 0
    }
}
