/// Writes the protobuf wire format into a buffer it owns and can be used again and again.
///
/// It writes backwards: each value goes in front of those written before it. So the length of a submessage is known
/// when its turn comes, in one pass and without moving anything. A message therefore writes its last field first; a
/// caller who encodes one message and takes the bytes need not care.
///
/// ```swift
/// func send(_ requests: [SLURequest], over send: (UnsafeRawBufferPointer) -> Void) {
///     var writer = ProtoWriter()
///     for request in requests {
///         writer.removeAll()  // keeps the memory
///         request.encode(into: &writer)
///         writer.withUnsafeBytes { send($0) }
///     }
/// }
/// ```
public struct ProtoWriter: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer
    /// The bytes written are between here and `end`.
    @usableFromInline var cursor: UnsafeMutableRawPointer
    @usableFromInline var ownsBuffer: Bool

    /// Makes an empty writer with room for a short message.
    @inlinable
    public init() { self.init(minimumCapacity: 256) }

    /// Makes an empty writer with room for so many bytes, its length prefix not counted.
    @inlinable
    public init(minimumCapacity: Int) {
        let capacity = max(minimumCapacity, 0) + Self.maximumHeader
        start = .allocate(byteCount: capacity, alignment: 1)
        end = start + capacity
        cursor = end
        ownsBuffer = true
    }

    /// Writes into `scratch` for as long as that is large enough. The writer must not outlive it.
    @usableFromInline
    init(scratch: UnsafeMutableRawPointer, capacity: Int) {
        start = scratch
        end = scratch + capacity
        cursor = end
        ownsBuffer = false
    }

    @inlinable
    deinit {
        if ownsBuffer { start.deallocate() }
    }

    /// How many bytes are written.
    @inlinable
    public var count: Int { end - cursor }

    /// A copy of the bytes written.
    @inlinable
    public var bytes: [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: cursor, count: count))
    }

    /// Calls `body` with the bytes written; the buffer is valid during the call only.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: cursor, count: count))
    }

    /// Forgets the bytes written and keeps the memory.
    @inlinable
    public mutating func removeAll() { cursor = end }

    /// Encodes into memory of the stack where that is large enough, and into an array of exactly the right size.
    @inlinable
    static func encodeOnce(_ encode: (inout ProtoWriter) -> Void) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { scratch in
            guard let base = scratch.baseAddress else { return [] }
            var writer = ProtoWriter(scratch: base, capacity: scratch.count)
            encode(&writer)
            return writer.bytes
        }
    }

    /// Makes room for `size` more bytes in front.
    @inlinable @inline(__always)
    mutating func reserve(_ size: Int) {
        if cursor - start < size { grow(size) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ size: Int) {
        let count = self.count
        let newCapacity = max(2 * (end - start), count + size)
        let newStart = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 1)
        let newEnd = newStart + newCapacity
        (newEnd - count).copyMemory(from: cursor, byteCount: count)
        if ownsBuffer { start.deallocate() }
        start = newStart
        end = newEnd
        cursor = newEnd - count
        ownsBuffer = true
    }
}

// One owner at a time: the type is not copyable and nothing else points to its buffer.
extension ProtoWriter: @unchecked Sendable {}
