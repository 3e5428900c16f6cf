import CSndFile
import Foundation
import SpeechlySync

/// Reads everything that libsndfile can read: FLAC, Ogg and others.
final class SndFileDecoder: AudioDecoder {
    let sampleRate: Int
    let channels: Int
    let frames: Int?
    let format = AudioSampleFormat.float32
    let warnings: [AudioFileWarning] = []

    private let input: FileInput
    private let handle: OpaquePointer
    private let block: UnsafeMutableBufferPointer<Float>
    private let blockFrames: Int

    /// The library keeps the reason for a failed open in one place for the whole process.
    private static let opening = Locked(())

    /// Reads `input` from its first byte; it must be a file, not a pipe.
    init(input: FileInput) throws(AudioFileError) {
        var info = SF_INFO()
        let name = input.name
        let opened: Result<OpaquePointer, AudioFileError> = Self.opening.withLock { _ in
            lseek(input.descriptor, 0, SEEK_SET)
            guard let handle = sf_open_fd(input.descriptor, Int32(SFM_READ), &info, 0) else {
                return .failure(.malformed(file: name, reason: Self.text(sf_strerror(nil))))
            }
            return .success(handle)
        }
        let handle = try opened.get()
        guard info.channels > 0, info.samplerate > 0 else {
            sf_close(handle)
            throw .malformed(file: name, reason: "\(info.channels) channels at \(info.samplerate) Hz")
        }
        let total = info.frames == .max ? nil : Int(info.frames)
        let isFLAC = Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(SF_FORMAT_FLAC)
        if isFLAC, info.seekable != 0, let total, total > 0, !Self.hasFrame(total - 1, handle, info) {
            sf_close(handle)
            throw .truncated(file: name)
        }
        self.input = input
        self.handle = handle
        sampleRate = Int(info.samplerate)
        channels = Int(info.channels)
        frames = total
        blockFrames = decoderBlockFrames(sampleRate: sampleRate, channels: channels)
        block = .allocate(capacity: blockFrames * channels)
    }

    deinit {
        sf_close(handle)
        block.deallocate()
    }

    func read(_ body: (UnsafeRawBufferPointer) -> Void) throws(AudioFileError) -> Bool {
        guard !input.isStopped else { return false }
        let count = Int(sf_readf_float(handle, block.baseAddress, sf_count_t(blockFrames)))
        if count > 0 { body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[0..<count * channels * 4])) }
        if count < blockFrames, sf_error(handle) != SF_ERR_NO_ERROR {
            throw .malformed(file: input.name, reason: Self.text(sf_strerror(handle)))
        }
        return count > 0
    }

    /// Whether a frame can be decoded. Leaves the position at the first frame.
    private static func hasFrame(_ frame: Int, _ handle: OpaquePointer, _ info: SF_INFO) -> Bool {
        var samples = [Float](repeating: 0, count: Int(info.channels))
        let isThere = sf_seek(handle, sf_count_t(frame), SEEK_SET) == frame && sf_readf_float(handle, &samples, 1) == 1
        return sf_seek(handle, 0, SEEK_SET) == 0 && isThere
    }

    private static func text(_ message: UnsafePointer<CChar>?) -> String {
        guard let message else { return "unknown error" }
        let text = String(cString: message).trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
        return text.hasPrefix("Error : ") ? String(text.dropFirst(8)) : text
    }
}
