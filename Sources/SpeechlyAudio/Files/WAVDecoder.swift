import Foundation

/// Reads uncompressed WAV, from files and pipes.
///
/// The library for all other files takes a size of 0 at its word, and cannot read every pipe.
final class WAVDecoder: AudioDecoder {
    let sampleRate: Int
    let channels: Int
    let frames: Int?
    let format: AudioSampleFormat
    private(set) var warnings: [AudioFileWarning] = []

    private let input: FileInput
    private let encoding: WAVHeader.Encoding
    private let block: UnsafeMutableRawBufferPointer
    private let converted: UnsafeMutableRawBufferPointer
    /// Bytes of audio that may still be read.
    private var remaining: Int
    /// Bytes of audio that a missing end would be missed from; `nil` where the end is the file's.
    private let announced: Int?
    private var found = 0
    private let bytesPerFrame: Int

    /// Reads from `input`, which stands at the first byte of audio.
    init(_ header: WAVHeader, input: FileInput) throws(AudioFileError) {
        guard let size = header.encoding.bytesPerSample else {
            throw .unsupported(file: input.name, reason: "WAV encoding \(header.encoding)")
        }
        self.input = input
        encoding = header.encoding
        sampleRate = header.sampleRate
        channels = header.channels
        bytesPerFrame = header.bytesPerFrame
        format = Self.format(of: header.encoding)
        (remaining, announced) = Self.extent(of: header, input: input)
        if let total = input.size {
            let present = max(0, total - Int(lseek(input.descriptor, 0, SEEK_CUR)))
            frames = min(present, remaining) / header.bytesPerFrame
        } else {
            frames = nil
        }
        let count = decoderBlockFrames(sampleRate: sampleRate, channels: channels)
        block = .allocate(byteCount: count * header.bytesPerFrame, alignment: 8)
        converted = .allocate(byteCount: block.count / size * format.bytesPerSample, alignment: 8)
    }

    deinit {
        block.deallocate()
        converted.deallocate()
    }

    func read(_ body: (UnsafeRawBufferPointer) -> Void) throws(AudioFileError) -> Bool {
        let wanted = min(block.count, remaining)
        let count = wanted == 0 ? 0 : try input.read(into: UnsafeMutableRawBufferPointer(rebasing: block[0..<wanted]))
        remaining -= count
        found += count
        if count < wanted && !input.isStopped {
            remaining = 0
            if let announced {
                // Nothing to hear: for the user that is a failure, not a shortened recording.
                if found < bytesPerFrame { throw .truncated(file: input.name) }
                warnings = [.truncated(file: input.name, announced: announced, found: found)]
            }
        }
        guard count > 0 else { return false }
        body(convert(UnsafeRawBufferPointer(rebasing: block[0..<count])))
        return true
    }

    /// How many bytes to read at most, and how many the header promises.
    private static func extent(of header: WAVHeader, input: FileInput) -> (limit: Int, announced: Int?) {
        let position = lseek(input.descriptor, 0, SEEK_CUR)
        let present = input.size.map { max(0, $0 - Int(position)) }
        switch header.length {
        case .bytes(let count):
            return (count, count)
        case .zero:
            let isTrue = present.map { chunksFill($0, header: header, input: input, from: position) } ?? false
            return (isTrue ? 0 : .max, nil)
        case .unknown(let value):
            // A file that really is this long has its size in the header, and chunks behind the audio.
            return ((present ?? 0) >= Int(value) ? Int(value) : .max, nil)
        }
    }

    /// Whether the rest of a file is nothing but chunks, as behind audio of which there is none.
    private static func chunksFill(_ count: Int, header: WAVHeader, input: FileInput, from start: off_t) -> Bool {
        guard count > 0, header.announcedFileSize == input.size else { return count == 0 }
        var position = start
        let end = start + off_t(count)
        while position + 8 <= end {
            var chunk = [UInt8](repeating: 0, count: 8)
            guard pread(input.descriptor, &chunk, 8, position) == 8,
                chunk[0..<4].allSatisfy({ (0x20...0x7E).contains($0) })
            else { return false }
            let size = chunk.littleEndian32(at: 4)
            position += 8 + off_t(size) + off_t(size & 1)
        }
        return position == end || position == end + 1
    }

    private static func format(of encoding: WAVHeader.Encoding) -> AudioSampleFormat {
        switch encoding {
        case .int24: .int24
        case .int32: .int32
        case .float32, .float64: .float32
        case .unsigned8, .int16, .muLaw, .aLaw, .other: .int16
        }
    }

    private func convert(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        switch encoding {
        case .int16, .int24, .int32, .float32, .other:
            return bytes
        case .unsigned8:
            return map(bytes) { (Int16($0) - 128) << 8 }
        case .muLaw:
            return map(bytes) { CompandedSamples.muLaw($0) }
        case .aLaw:
            return map(bytes) { CompandedSamples.aLaw($0) }
        case .float64:
            let output = converted.bindMemory(to: UInt32.self)
            for index in 0..<bytes.count / 8 {
                let raw = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
                output[index] = Float(Double(bitPattern: raw)).bitPattern.littleEndian
            }
            return UnsafeRawBufferPointer(rebasing: converted[0..<bytes.count / 8 * 4])
        }
    }

    private func map(_ bytes: UnsafeRawBufferPointer, _ transform: (UInt8) -> Int16) -> UnsafeRawBufferPointer {
        let output = converted.bindMemory(to: Int16.self)
        for index in bytes.indices { output[index] = transform(bytes[index]).littleEndian }
        return UnsafeRawBufferPointer(rebasing: converted[0..<bytes.count * 2])
    }
}
