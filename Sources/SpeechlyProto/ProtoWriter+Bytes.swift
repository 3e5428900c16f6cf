extension ProtoWriter {
    /// The most bytes that a tag and a varint can take.
    @usableFromInline static var maximumHeader: Int { 15 }

    /// Writes a tag and a varint, the value or the length, in front of `cursor`, where there must be room.
    @inlinable @inline(__always)
    static func header(
        _ value: UInt64, _ field: UInt32, wireType: UInt32, before cursor: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        varint(UInt64(field &<< 3 | wireType), before: varint(value, before: cursor))
    }

    @inlinable @inline(__always)
    static func varint(_ value: UInt64, before cursor: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        if value < 0x80 {
            let target = cursor - 1
            target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            return target
        }
        if value < 0x4000 {
            let target = cursor - 2
            let pair = UInt16(truncatingIfNeeded: value & 0x7F | 0x80 | value &<< 1 & 0x7F00)
            target.storeBytes(of: pair.littleEndian, as: UInt16.self)
            return target
        }
        return longVarint(value, before: cursor)
    }

    @usableFromInline @inline(never)
    static func longVarint(_ value: UInt64, before cursor: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let size = (70 &- value.leadingZeroBitCount) / 7
        let target = cursor - size
        var rest = value
        for index in 0..<size &- 1 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: index, as: UInt8.self)
            rest &>>= 7
        }
        target.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: size &- 1, as: UInt8.self)
        return target
    }

    /// Copies bytes. Words and names are mostly short, and a few moves beat a call. Short strings were stored a moment
    /// ago, so that loads across what was stored at once, as overlapping moves would be, have to wait.
    @inlinable @inline(__always)
    static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ size: Int) {
        guard size < 16 else {
            target.copyMemory(from: source, byteCount: size)
            return
        }
        var offset = 0
        if size & 8 != 0 {
            target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
            offset = 8
        }
        if size & 4 != 0 {
            let part = source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            target.storeBytes(of: part, toByteOffset: offset, as: UInt32.self)
            offset |= 4
        }
        if size & 2 != 0 {
            let part = source.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            target.storeBytes(of: part, toByteOffset: offset, as: UInt16.self)
            offset |= 2
        }
        if size & 1 != 0 {
            let part = source.load(fromByteOffset: offset, as: UInt8.self)
            target.storeBytes(of: part, toByteOffset: offset, as: UInt8.self)
        }
    }
}
