/// Writes the protobuf wire format into a buffer it owns and can be used again and again.
///
/// It writes backwards: each value goes in front of those written before it. So the length of a submessage is known
/// when its turn comes, in one pass and without moving anything. A message therefore writes its last field first; a
/// caller who encodes one message and takes the bytes need not care.
///
/// ```swift
/// var writer = ProtoWriter()
/// writer.removeAll()              // keeps the memory
/// request.encode(into: &writer)
/// writer.withUnsafeBytes { send($0) }
/// ```
public struct ProtoWriter: ~Copyable {
    /// The bytes are at `position..<capacity`.
    @usableFromInline var buffer: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var position: Int
    @usableFromInline var ownsBuffer: Bool

    /// Makes an empty writer. It allocates when more than nothing is written.
    @inlinable
    public init() { self.init(minimumCapacity: 256) }

    /// Makes an empty writer with room for so many bytes.
    @inlinable
    public init(minimumCapacity: Int) {
        capacity = max(minimumCapacity, 16)
        buffer = .allocate(byteCount: capacity, alignment: 1)
        position = capacity
        ownsBuffer = true
    }

    /// Writes into `scratch` for as long as that is large enough. The writer must not outlive it.
    @usableFromInline
    init(scratch: UnsafeMutableRawPointer, capacity: Int) {
        buffer = scratch
        self.capacity = capacity
        position = capacity
        ownsBuffer = false
    }

    @inlinable
    deinit {
        if ownsBuffer { buffer.deallocate() }
    }

    /// How many bytes are written.
    @inlinable
    public var count: Int { capacity &- position }

    /// A copy of the bytes written.
    @inlinable
    public var bytes: [UInt8] {
        [UInt8](UnsafeRawBufferPointer(start: buffer + position, count: count))
    }

    /// Calls `body` with the bytes written; the buffer is valid during the call only.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: buffer + position, count: count))
    }

    /// Forgets the bytes written and keeps the memory.
    @inlinable
    public mutating func removeAll() { position = capacity }

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
        if position < size { grow(size) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ size: Int) {
        let count = self.count
        let newCapacity = max(2 * capacity, count + size)
        let newBuffer = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 1)
        newBuffer.advanced(by: newCapacity - count).copyMemory(from: buffer + position, byteCount: count)
        if ownsBuffer { buffer.deallocate() }
        buffer = newBuffer
        capacity = newCapacity
        position = newCapacity - count
        ownsBuffer = true
    }
}

// One owner at a time: the type is not copyable and nothing else points to its buffer.
extension ProtoWriter: @unchecked Sendable {}
