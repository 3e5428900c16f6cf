extension ProtoWriter {
    /// Writes a varint. At least one byte, at most ten.
    @inlinable @inline(__always)
    mutating func varint(_ value: UInt64) {
        if value < 0x80 {
            reserve(1)
            position &-= 1
            buffer.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: position, as: UInt8.self)
        } else {
            longVarint(value)
        }
    }

    @usableFromInline @inline(never)
    mutating func longVarint(_ value: UInt64) {
        let size = (70 &- value.leadingZeroBitCount) / 7
        reserve(size)
        position &-= size
        var rest = value
        for index in 0..<size &- 1 {
            let byte = UInt8(truncatingIfNeeded: rest) | 0x80
            buffer.storeBytes(of: byte, toByteOffset: position &+ index, as: UInt8.self)
            rest &>>= 7
        }
        let last = UInt8(truncatingIfNeeded: rest)
        buffer.storeBytes(of: last, toByteOffset: position &+ size &- 1, as: UInt8.self)
    }

    @inlinable @inline(__always)
    mutating func tag(_ field: UInt32, wireType: UInt32) { varint(UInt64(field &<< 3 | wireType)) }

    /// Writes an unsigned varint field, unless it is 0.
    @inlinable @inline(__always)
    public mutating func uint64(_ value: UInt64, field: UInt32) {
        guard value != 0 else { return }
        varint(value)
        tag(field, wireType: 0)
    }

    /// Writes an unsigned varint field, unless it is 0.
    @inlinable @inline(__always)
    public mutating func uint32(_ value: UInt32, field: UInt32) { uint64(UInt64(value), field: field) }

    /// Writes a signed varint field, unless it is 0; negative numbers take ten bytes.
    @inlinable @inline(__always)
    public mutating func int64(_ value: Int64, field: UInt32) { uint64(UInt64(bitPattern: value), field: field) }

    /// Writes a signed varint field or an enumeration's value, unless it is 0; negative numbers take ten bytes.
    @inlinable @inline(__always)
    public mutating func int32(_ value: Int32, field: UInt32) { int64(Int64(value), field: field) }

    /// Writes a string field, unless it is empty.
    @inlinable @inline(__always)
    public mutating func string(_ value: String, field: UInt32) {
        if !value.isEmpty { element(value, field: field) }
    }

    /// Writes a string field, also when it is empty: one element of a repeated field, or a member of a oneof.
    @inlinable
    public mutating func element(_ value: String, field: UInt32) {
        let done: Void? = value.utf8.withContiguousStorageIfAvailable { content in
            element(UnsafeRawBufferPointer(content), field: field)
        }
        if done == nil { Array(value.utf8).withUnsafeBytes { content in element(content, field: field) } }
    }

    /// Writes a repeated string field. Every element is written, also empty ones.
    @inlinable
    public mutating func strings(_ values: [String], field: UInt32) {
        for value in values.reversed() { element(value, field: field) }
    }

    /// Writes a bytes field, also when it is empty: a member of a oneof.
    @inlinable
    public mutating func element(_ value: UnsafeRawBufferPointer, field: UInt32) {
        let size = value.count
        reserve(size)
        position &-= size
        if let source = value.baseAddress, size > 0 {
            buffer.advanced(by: position).copyMemory(from: source, byteCount: size)
        }
        varint(UInt64(truncatingIfNeeded: size))
        tag(field, wireType: 2)
    }

    /// Writes a submessage, also when all its fields have their defaults.
    @inlinable @inline(__always)
    public mutating func message<Message: ProtoMessage>(_ message: Message, field: UInt32) {
        let before = count
        message.encode(into: &self)
        varint(UInt64(truncatingIfNeeded: count &- before))
        tag(field, wireType: 2)
    }

    /// Writes a repeated submessage.
    @inlinable @inline(__always)
    public mutating func messages<Message: ProtoMessage>(_ messages: [Message], field: UInt32) {
        var index = messages.count
        while index > 0 {
            index &-= 1
            message(messages[index], field: field)
        }
    }
}
