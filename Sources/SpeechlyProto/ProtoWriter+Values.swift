// Each value keeps the cursor in a local variable while it is written: the compiler cannot know that the bytes do not
// overlap the writer itself.

extension ProtoWriter {
    /// Writes an unsigned varint field, unless it is 0.
    @inlinable @inline(__always)
    public mutating func uint64(_ value: UInt64, field: UInt32) {
        guard value != 0 else { return }
        reserve(Self.maximumHeader)
        cursor = Self.header(value, field, wireType: 0, before: cursor)
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
        if done == nil { copiedElement(value, field: field) }
    }

    /// For strings of a foreign kind. Apart, because otherwise every string is retained.
    @usableFromInline @inline(never)
    mutating func copiedElement(_ value: String, field: UInt32) {
        Array(value.utf8).withUnsafeBytes { content in element(content, field: field) }
    }

    /// Writes a repeated string field. Every element is written, also empty ones.
    @inlinable
    public mutating func strings(_ values: [String], field: UInt32) {
        for value in values.reversed() { element(value, field: field) }
    }

    /// Writes a bytes field, also when it is empty: a member of a oneof.
    @inlinable @inline(__always)
    public mutating func element(_ value: UnsafeRawBufferPointer, field: UInt32) {
        let size = value.count
        reserve(size + Self.maximumHeader)
        let target = cursor - size
        if let source = value.baseAddress { Self.copy(source, to: target, size) }
        cursor = Self.header(UInt64(truncatingIfNeeded: size), field, wireType: 2, before: target)
    }

    /// Writes a submessage, also when all its fields have their defaults.
    @inlinable @inline(__always)
    public mutating func message<Message: ProtoMessage>(_ message: Message, field: UInt32) {
        let before = count
        message.encode(into: &self)
        reserve(Self.maximumHeader)
        let size = UInt64(truncatingIfNeeded: count &- before)
        cursor = Self.header(size, field, wireType: 2, before: cursor)
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
