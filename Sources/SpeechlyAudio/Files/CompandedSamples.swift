/// The two telephone encodings of ITU-T G.711: eight bits with a logarithmic scale.
enum CompandedSamples {
    /// Decodes a µ-law sample.
    static func muLaw(_ code: UInt8) -> Int16 {
        let bits = ~code
        let exponent = Int32(bits >> 4 & 7)
        let mantissa = Int32(bits & 15)
        let magnitude = ((mantissa << 3 + 132) << exponent) - 132
        return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
    }

    /// Decodes an A-law sample.
    static func aLaw(_ code: UInt8) -> Int16 {
        let bits = code ^ 0x55
        let exponent = Int32(bits >> 4 & 7)
        let mantissa = Int32(bits & 15)
        let magnitude = exponent == 0 ? mantissa << 4 + 8 : (mantissa << 4 + 264) << (exponent - 1)
        return Int16(bits & 0x80 == 0 ? -magnitude : magnitude)
    }
}
