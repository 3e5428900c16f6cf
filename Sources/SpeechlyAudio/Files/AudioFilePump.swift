import Foundation

/// Decodes and converts a file, piece by piece.
///
/// `@unchecked Sendable`: an ``AudioFile`` uses it in its initialiser, and after that only on its queue.
final class AudioFilePump: @unchecked Sendable {
    private let input: FileInput
    private let output: AudioOutputFormat
    private var source: (decoder: any AudioDecoder, resampler: Resampler)?
    private var buffer = ByteQueue()
    private var isAtEnd = false

    init(input: FileInput, output: AudioOutputFormat) {
        self.input = input
        self.output = output
    }

    /// What the decoder noticed so far.
    var warnings: [AudioFileWarning] { source?.decoder.warnings ?? [] }

    /// The length of the audio in seconds, where the file says it.
    var duration: TimeInterval? {
        guard let decoder = source?.decoder, let frames = decoder.frames else { return nil }
        return Double(frames) / Double(decoder.sampleRate)
    }

    /// Reads the header, unless that has been done.
    func open() throws(AudioFileError) {
        if source != nil { return }
        let decoder = try makeDecoder()
        try check(decoder)
        do {
            let resampler = try Resampler(
                inputRate: Double(decoder.sampleRate), outputRate: output.sampleRate,
                inputChannels: decoder.channels, outputChannels: output.channels, selection: output.selection)
            source = (decoder, resampler)
        } catch {
            throw .unsupported(file: input.name, reason: error.description)
        }
    }

    /// Refuses what cannot be converted in the words of a file, not of a converter.
    private func check(_ decoder: any AudioDecoder) throws(AudioFileError) {
        guard (1_000...768_000).contains(decoder.sampleRate) else {
            throw .unsupported(file: input.name, reason: "\(decoder.sampleRate) Hz; 1000 to 768000 Hz can be read")
        }
        guard decoder.channels <= 1_024 else {
            throw .unsupported(file: input.name, reason: "\(decoder.channels) channels; up to 1024 can be read")
        }
    }

    /// The next piece; `nil` at the end.
    func next() throws(AudioFileError) -> Data? {
        do {
            return try read()
        } catch {
            isAtEnd = true
            buffer.removeAll()
            // A header that was not read to its end because of a stop is not a damaged one.
            if input.isStopped && source == nil { return nil }
            throw error
        }
    }

    private func read() throws(AudioFileError) -> Data? {
        if !isAtEnd { try open() }
        while !isAtEnd, buffer.count < output.bytesPerChunk, let source {
            let more = try source.decoder.read { bytes in
                buffer.append { source.resampler.process(bytes, as: source.decoder.format, into: &$0) }
            }
            if !more {
                buffer.append { source.resampler.flush(into: &$0) }
                isAtEnd = true
            }
        }
        return buffer.isEmpty ? nil : buffer.take(atMost: output.bytesPerChunk)
    }

    private func makeDecoder() throws(AudioFileError) -> any AudioDecoder {
        let start = try input.read(12)
        switch AudioFileType(start: start) {
        case .wav:
            let header = try WAVHeader(start: start, input: input)
            if case .other(let tag) = header.encoding {
                guard input.size != nil else {
                    throw .unsupported(file: input.name, reason: "WAV encoding \(tag) from a pipe; save it as a file")
                }
                return try SndFileDecoder(input: input)
            }
            return try WAVDecoder(header, input: input)
        case .other(let name):
            guard input.size != nil else {
                throw .unsupported(file: input.name, reason: "\(name) from a pipe; save it as a file, or send WAV")
            }
            return try SndFileDecoder(input: input)
        case nil where start.isEmpty:
            throw .empty(file: input.name)
        case nil:
            throw .unknownFormat(file: input.name)
        }
    }
}

/// What an audio file is, by its first twelve bytes.
enum AudioFileType: Hashable, Sendable {
    case wav
    /// A format left to libsndfile, with the name people call it by.
    case other(String)

    init?(start: [UInt8]) {
        guard start.count == 12 else { return nil }
        let (first, third) = (Array(start[0..<4]), String(decoding: start[8..<12], as: UTF8.self))
        switch String(decoding: first, as: UTF8.self) {
        case "RIFF" where third == "WAVE", "RF64" where third == "WAVE", "BW64" where third == "WAVE": self = .wav
        case "RIFX" where third == "WAVE": self = .other("big-endian WAV")
        case "FORM" where third == "AIFF" || third == "AIFC": self = .other("AIFF")
        case "fLaC": self = .other("FLAC")
        case "OggS": self = .other("Ogg")
        case ".snd": self = .other("AU")
        case "caff": self = .other("CAF")
        case _ where first[0..<3] == [0x49, 0x44, 0x33]: self = .other("MP3")
        // A frame of MPEG layer III: eleven bits of ones, then a version and a layer that exist.
        case _ where first[0] == 0xFF && first[1] & 0xE6 == 0xE2 && first[1] & 0x18 != 0x08: self = .other("MP3")
        default: return nil
        }
    }
}

/// What a source delivers.
struct AudioOutputFormat: Sendable {
    var sampleRate: Double
    var channels: Int
    var selection: ChannelSelection
    /// The length of a full chunk; taken as 10 ms if it is less, and as a minute if it is more.
    var chunk: Duration

    /// The size of a full chunk, in bytes.
    var bytesPerChunk: Int {
        // The rate is checked by what converts to it, which is made later.
        let rate = sampleRate.isFinite ? min(sampleRate, 768_000) : 768_000
        return max(1, Int(min(max(chunk.seconds, 0.01), 60) * max(0, rate))) * channels * 2
    }
}
