/// Reads the protobuf wire format from a buffer it does not own, without copying it.
///
/// A reader must not outlive the buffer it was made with. Every read is checked against the end of the message it is
/// in, whatever the bytes say. After an error the reader's position is unspecified.
public struct ProtoReader {
    /// How deep messages and groups may be nested in the outermost message.
    public static var maximumDepth: Int { 100 }

    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var offset: Int
    /// Where the innermost message ends.
    @usableFromInline var end: Int
    /// Where the last tag began.
    @usableFromInline var tagOffset: Int
    @usableFromInline var depth: Int

    /// Starts at the first byte of `bytes`, in the outermost message.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
        tagOffset = 0
        depth = 0
    }

    /// Bytes from the start of the buffer to the next byte read.
    public var byteOffset: Int { offset }

    /// Reads the next field's tag, field number × 8 + wire type; `nil` at the end of the message.
    ///
    /// - Throws: `ProtoError`: truncated, malformed varint, field number 0 or too large. The wire type is checked by
    ///   `skip(_:)`, where every tag ends up that a message does not know.
    @inlinable @inline(__always)
    public mutating func nextTag() throws(ProtoError) -> UInt32? {
        guard offset < end else { return nil }
        tagOffset = offset
        let byte = bytes[offset]
        guard byte >= 8 && byte < 0x80 else { return try longTag() }
        offset += 1
        return UInt32(byte)
    }

    @usableFromInline @inline(never)
    mutating func longTag() throws(ProtoError) -> UInt32 {
        let value = try longVarint(maximumBytes: 5)
        guard value >= 8 && value <= UInt64(UInt32.max) else {
            throw error(.invalidFieldNumber(value >> 3), at: tagOffset)
        }
        return UInt32(truncatingIfNeeded: value)
    }

    /// Reads a varint of up to ten bytes; bits beyond the 64th are dropped.
    @inlinable @inline(__always)
    public mutating func uint64() throws(ProtoError) -> UInt64 {
        guard offset < end else { throw error(.truncated, at: offset) }
        let byte = bytes[offset]
        guard byte >= 0x80 else {
            offset += 1
            return UInt64(byte)
        }
        guard offset + 1 < end, bytes[offset + 1] < 0x80 else { return try longVarint(maximumBytes: 10) }
        let value = UInt64(byte & 0x7F) | UInt64(bytes[offset + 1]) &<< 7
        offset += 2
        return value
    }

    @usableFromInline @inline(never)
    mutating func longVarint(maximumBytes: Int) throws(ProtoError) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<maximumBytes {
            guard offset + index < end else { throw error(.truncated, at: end) }
            let byte = bytes[offset + index]
            value |= UInt64(byte & 0x7F) &<< UInt64(7 &* index)
            if byte < 0x80 {
                offset += index + 1
                return value
            }
        }
        throw error(.malformedVarint, at: offset)
    }

    /// Reads the length of a length-delimited value and checks that so many bytes are there.
    @inlinable @inline(__always)
    mutating func length() throws(ProtoError) -> Int {
        let start = offset
        let length = try uint64()
        guard length <= UInt64(truncatingIfNeeded: end &- offset) else { throw tooLong(length, at: start) }
        return Int(truncatingIfNeeded: length)
    }

    @usableFromInline @inline(never)
    func tooLong(_ length: UInt64, at start: Int) -> ProtoError {
        error(.lengthBeyondEnd(length: length, available: end - offset), at: start)
    }

    @usableFromInline @inline(never)
    func error(_ kind: ProtoError.Kind, at byteOffset: Int) -> ProtoError {
        ProtoError(kind: kind, messageName: "", byteOffset: byteOffset)
    }
}
