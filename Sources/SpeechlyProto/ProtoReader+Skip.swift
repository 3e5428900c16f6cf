extension ProtoReader {
    /// Skips the value of a field nobody knows, whose tag was just read.
    ///
    /// - Throws: `ProtoError`: truncated, a group that does not match, a wire type that does not exist.
    public mutating func skip(_ tag: UInt32) throws(ProtoError) {
        switch tag & 7 {
        case 0: _ = try uint64()
        case 1: try advance(8)
        case 2: offset += try length()
        case 3: try skipGroup(fieldNumber: tag >> 3)
        case 4: throw error(.unmatchedEndGroup(fieldNumber: tag >> 3), at: tagOffset)
        case 5: try advance(4)
        default: throw error(.invalidWireType(UInt8(truncatingIfNeeded: tag & 7)), at: tagOffset)
        }
    }

    private mutating func advance(_ count: Int) throws(ProtoError) {
        guard count <= end - offset else { throw error(.truncated, at: end) }
        offset += count
    }

    private mutating func skipGroup(fieldNumber: UInt32) throws(ProtoError) {
        let start = tagOffset
        guard depth < Self.maximumDepth else { throw error(.nestingTooDeep, at: start) }
        depth += 1
        while let tag = try nextTag() {
            if tag == fieldNumber << 3 | 4 {
                depth -= 1
                return
            }
            try skip(tag)
        }
        throw error(.unterminatedGroup(fieldNumber: fieldNumber), at: start)
    }
}
