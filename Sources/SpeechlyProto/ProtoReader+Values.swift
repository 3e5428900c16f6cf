extension ProtoReader {
    /// Reads a signed 64-bit varint.
    @inlinable @inline(__always)
    public mutating func int64() throws(ProtoError) -> Int64 { Int64(bitPattern: try uint64()) }

    /// Reads an unsigned 32-bit varint; higher bits are dropped.
    @inlinable @inline(__always)
    public mutating func uint32() throws(ProtoError) -> UInt32 { UInt32(truncatingIfNeeded: try uint64()) }

    /// Reads a signed 32-bit varint, or an enumeration's value; higher bits are dropped.
    @inlinable @inline(__always)
    public mutating func int32() throws(ProtoError) -> Int32 { Int32(truncatingIfNeeded: try uint64()) }

    /// Reads bytes into a new array.
    public mutating func byteArray() throws(ProtoError) -> [UInt8] {
        let length = try length()
        let start = offset
        offset += length
        return [UInt8](bytes[start..<start + length])
    }

    /// Reads a string.
    ///
    /// - Throws: `ProtoError`, also when the bytes are not UTF-8.
    public mutating func string() throws(ProtoError) -> String {
        let length = try length()
        let start = offset
        offset += length
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ length])
        if !UTF8Validation.isASCII(content), let wrong = UTF8Validation.firstInvalidByte(content) {
            throw error(.invalidUTF8, at: start + wrong)
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Reads a submessage into `message`, which keeps the fields that do not occur in it.
    ///
    /// - Throws: `ProtoError` with the name of the message that is wrong.
    @inlinable
    public mutating func message<Message: ProtoMessage>(_ message: inout Message) throws(ProtoError) {
        let length = try length()
        let outerEnd = end
        guard depth < Self.maximumDepth else { throw error(.nestingTooDeep, at: tagOffset) }
        depth += 1
        end = offset + length
        do { try message.merge(from: &self) } catch { throw error.naming(Message.messageName) }
        end = outerEnd
        depth -= 1
    }

    /// Reads a submessage and appends it. `tag` is the field's tag, just read.
    ///
    /// - Throws: `ProtoError` with the name of the message that is wrong.
    @inlinable
    public mutating func append<Message: ProtoMessage>(
        to messages: inout [Message], tag: UInt32
    ) throws(ProtoError) {
        if messages.count == messages.capacity { reserve(&messages, tag: tag) }
        var message = Message()
        try self.message(&message)
        messages.append(message)
    }

    /// Reads a string and appends it. `tag` is the field's tag, just read.
    ///
    /// - Throws: `ProtoError`, also when the bytes are not UTF-8.
    public mutating func append(to strings: inout [String], tag: UInt32) throws(ProtoError) {
        if strings.count == strings.capacity { reserve(&strings, tag: tag) }
        strings.append(try string())
    }

    /// Counts ahead, so that the memory of a list is allocated once and is no larger than the bytes justify. A list
    /// that grows again, because its message occurs again, doubles, so that the work stays linear.
    @inlinable @inline(never)
    func reserve<Element>(_ elements: inout [Element], tag: UInt32) {
        elements.reserveCapacity(max(elements.count + occurrences(of: tag), 2 * elements.count))
    }

    /// How often a length-delimited field occurs in the rest of this message, the one whose tag was just read
    /// included. Stops counting where the bytes are wrong.
    @usableFromInline
    func occurrences(of tag: UInt32) -> Int {
        var scan = self
        var count = 0
        do {
            var next: UInt32? = tag
            while let current = next {
                if current == tag {
                    scan.offset += try scan.length()
                    count += 1
                } else {
                    try scan.skip(current)
                }
                next = try scan.nextTag()
            }
        } catch {
            // Reading the field itself reports it.
        }
        return count
    }
}
