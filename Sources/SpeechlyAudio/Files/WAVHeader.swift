/// What the chunks before the audio of a WAV file say.
struct WAVHeader: Hashable, Sendable {
    /// How samples are stored.
    enum Encoding: Hashable, Sendable {
        case unsigned8, int16, int24, int32, float32, float64, muLaw, aLaw
        /// Another encoding, by its number in the header.
        case other(UInt16)
    }

    /// The length the header announces for the audio.
    enum Length: Hashable, Sendable {
        /// This many bytes.
        case bytes(Int)
        /// Nothing: a size of 0, which streaming writers leave behind, or which is the truth.
        case zero
        /// A value that streaming writers put there because they cannot know it.
        case unknown(UInt32)
    }

    var encoding: Encoding
    var channels: Int
    var sampleRate: Int
    /// The size of one sample of every channel, in bytes.
    var bytesPerFrame: Int
    var length: Length
    /// The size of the whole file that the first chunk announces, in bytes.
    var announcedFileSize: Int
}

extension WAVHeader {
    /// More chunks than this before the audio is an attack, not a file.
    private static let maximumChunkCount = 1_024

    /// Reads up to the first byte of audio from `input`, whose first 12 bytes are `start`.
    init(start: [UInt8], input: FileInput) throws(AudioFileError) {
        var format: [UInt8]?
        var wideLength: Int?
        for _ in 0..<Self.maximumChunkCount {
            let chunk = try input.read(8)
            guard chunk.count == 8 else { break }
            let size = chunk.littleEndian32(at: 4)
            switch String(decoding: chunk[0..<4], as: UTF8.self) {
            case "data":
                guard let format else { throw .malformed(file: input.name, reason: "audio comes before its format") }
                try self.init(
                    format: format, dataSize: size, wideLength: wideLength,
                    fileSize: Int(start.littleEndian32(at: 4)) + 8, name: input.name)
                return
            case "fmt ":
                format = try Self.body(of: size, atMost: 40, input: input)
            case "ds64":
                let body = try Self.body(of: size, atMost: 24, input: input)
                guard body.count >= 16 else { break }
                let (low, high) = (body.littleEndian32(at: 8), body.littleEndian32(at: 12))
                wideLength = Int(exactly: UInt64(low) | UInt64(high) << 32)
            default:
                try input.skip(Int(size) + Int(size & 1))
            }
        }
        let missing = format == nil ? "format ('fmt ')" : "audio ('data')"
        throw .malformed(file: input.name, reason: "there is no \(missing) chunk")
    }

    /// The first bytes of a chunk; the rest of it is passed over.
    private static func body(of size: UInt32, atMost limit: Int, input: FileInput) throws(AudioFileError) -> [UInt8] {
        let bytes = try input.read(min(Int(size), limit))
        try input.skip(Int(size) + Int(size & 1) - min(Int(size), limit))
        return bytes
    }

    private init(
        format: [UInt8], dataSize: UInt32, wideLength: Int?, fileSize: Int, name: String
    ) throws(AudioFileError) {
        guard format.count >= 16 else { throw .malformed(file: name, reason: "the format chunk is too short") }
        var tag = format.littleEndian16(at: 0)
        channels = Int(format.littleEndian16(at: 2))
        sampleRate = Int(format.littleEndian32(at: 4))
        let blockSize = Int(format.littleEndian16(at: 12))
        let bits = Int(format.littleEndian16(at: 14))
        // In the extensible form the encoding is the beginning of a 16-byte identifier.
        if tag == 0xFFFE && format.count >= 26 { tag = format.littleEndian16(at: 24) }
        guard channels > 0 else { throw .malformed(file: name, reason: "the header says 0 channels") }
        guard sampleRate > 0 else { throw .malformed(file: name, reason: "the header says 0 Hz") }
        // Writers get the size of a frame wrong more often than the size of a sample.
        let sampleSize = max(blockSize / channels, (bits + 7) / 8)
        bytesPerFrame = sampleSize * channels
        encoding = Self.encoding(tag: tag, bytesPerSample: sampleSize)
        guard bytesPerFrame > 0, bytesPerFrame >= blockSize || encoding.bytesPerSample == nil else {
            throw .malformed(
                file: name, reason: "the header says \(blockSize) bytes for \(channels) samples of \(bits) bits")
        }
        announcedFileSize = fileSize
        switch dataSize {
        case 0: length = .zero
        case 0xFFFF_FFFF where (wideLength ?? 0) > 0: length = .bytes(wideLength ?? 0)
        case 0x7FFF_0000...0x8000_0000, 0xFFFF_0000...: length = .unknown(dataSize)
        default: length = .bytes(Int(dataSize))
        }
    }

    private static func encoding(tag: UInt16, bytesPerSample: Int) -> Encoding {
        switch (tag, bytesPerSample) {
        case (1, 1): .unsigned8
        case (1, 2): .int16
        case (1, 3): .int24
        case (1, 4): .int32
        case (3, 4): .float32
        case (3, 8): .float64
        case (6, 1): .aLaw
        case (7, 1): .muLaw
        default: .other(tag)
        }
    }
}

extension WAVHeader.Encoding {
    /// The size of one stored sample; `nil` where samples do not have one.
    var bytesPerSample: Int? {
        switch self {
        case .unsigned8, .muLaw, .aLaw: 1
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        case .other: nil
        }
    }
}

extension [UInt8] {
    /// The 16-bit number at a byte offset.
    func littleEndian16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

    /// The 32-bit number at a byte offset.
    func littleEndian32(at index: Int) -> UInt32 {
        UInt32(littleEndian16(at: index)) | UInt32(littleEndian16(at: index + 2)) << 16
    }
}
