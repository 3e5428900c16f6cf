import Foundation

/// Writes WAV files as different programs do, right and wrong.
struct WAVBuilder {
    var tag: UInt16 = 1
    var channels: UInt16 = 1
    var sampleRate: UInt32 = 16_000
    var bits: UInt16 = 16
    var audio = Data()
    /// What the header says instead of the truth.
    var dataSize: UInt32?
    var riffSize: UInt32?
    var blockSize: UInt16?
    var isExtensible = false
    /// Chunks before and after the audio; the padding of odd ones is added.
    var chunksBefore: [(String, Data)] = []
    var chunksAfter: [(String, Data)] = []
    var start = "RIFF"

    init(_ samples: [Int16] = []) { audio = samples.littleEndianData }

    init(tag: UInt16 = 1, bits: UInt16, audio: Data) {
        self.tag = tag
        self.bits = bits
        self.audio = audio
    }

    /// The file.
    var data: Data {
        var body = Data("WAVE".utf8)
        for (name, content) in chunksBefore { body.append(Self.chunk(name, content)) }
        body.append(Self.chunk("fmt ", format))
        body.append(Self.chunk("data", audio, size: dataSize))
        for (name, content) in chunksAfter { body.append(Self.chunk(name, content)) }
        return Data(start.utf8) + Self.bytes(riffSize ?? UInt32(body.count)) + body
    }

    private var format: Data {
        let frame = channels * ((bits + 7) / 8)
        var data = Self.bytes(isExtensible ? 0xFFFE : tag) + Self.bytes(channels) + Self.bytes(sampleRate)
        data += Self.bytes(sampleRate &* UInt32(frame)) + Self.bytes(blockSize ?? frame) + Self.bytes(bits)
        if isExtensible {
            data += Self.bytes(UInt16(22)) + Self.bytes(bits) + Self.bytes(UInt32(0)) + Self.bytes(tag)
            data += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return data
    }

    static func chunk(_ name: String, _ content: Data, size: UInt32? = nil) -> Data {
        let padding = Data(repeating: 0, count: content.count % 2)
        return Data(name.utf8) + bytes(size ?? UInt32(content.count)) + content + padding
    }

    static func bytes<Value: FixedWidthInteger>(_ value: Value) -> Data {
        withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
}
