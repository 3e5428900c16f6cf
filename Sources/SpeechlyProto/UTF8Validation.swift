/// Tells whether bytes are UTF-8, and where they are not. (`String(validating:as:)` takes several times as long for the
/// short strings of speech, and does not say where.)
enum UTF8Validation {
    /// Whether all bytes are below 128.
    @inline(__always)
    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let count = bytes.count
        if count >= 8 {
            // The last eight bytes may overlap those before them.
            var all = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            var index = 0
            while index < count &- 8 {
                all |= base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index &+= 8
            }
            return all & 0x8080_8080_8080_8080 == 0
        }
        if count >= 4 {
            let all =
                base.loadUnaligned(as: UInt32.self)
                | base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return all & 0x8080_8080 == 0
        }
        var all: UInt8 = 0
        for index in 0..<count { all |= base.load(fromByteOffset: index, as: UInt8.self) }
        return all < 0x80
    }

    /// The offset of the first sequence that is not UTF-8 (cut, overlong, a surrogate, or beyond U+10FFFF).
    static func firstInvalidByte(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            let first = bytes[index]
            if first < 0x80 {
                index &+= 1
                continue
            }
            let size: Int
            // The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0xC2...0xDF: size = 2
            case 0xE0...0xEF:
                size = 3
                if first == 0xE0 { second = 0xA0...0xBF }
                if first == 0xED { second = 0x80...0x9F }
            case 0xF0...0xF4:
                size = 4
                if first == 0xF0 { second = 0x90...0xBF }
                if first == 0xF4 { second = 0x80...0x8F }
            default: return index
            }
            guard size <= bytes.count &- index, second.contains(bytes[index &+ 1]) else { return index }
            for next in index &+ 2..<index &+ max(size, 2) where bytes[next] & 0xC0 != 0x80 { return index }
            index &+= size
        }
        return nil
    }
}
