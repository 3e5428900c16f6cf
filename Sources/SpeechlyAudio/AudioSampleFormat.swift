/// How one sample of uncompressed audio is stored; always little-endian and interleaved.
public enum AudioSampleFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Signed 16-bit integers.
    case int16
    /// Signed 24-bit integers, packed into three bytes each.
    case int24
    /// Signed 32-bit integers.
    case int32
    /// 32-bit IEEE floats, full scale at ±1.
    case float32

    /// The size of one sample of one channel, in bytes.
    public var bytesPerSample: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        }
    }
}
