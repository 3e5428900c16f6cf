import Foundation

/// Why an ``AudioFile`` cannot be opened or read.
///
/// `file` is the path as it was given, or `standard input`.
public enum AudioFileError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// There is no such file.
    case notFound(file: String)
    /// The file may not be read by this user.
    case permissionDenied(file: String)
    /// It is a directory.
    case isDirectory(file: String)
    /// It is a device, a terminal or the like, which has no beginning and end.
    case notAFile(file: String)
    /// It has no bytes.
    case empty(file: String)
    /// The first bytes are those of no audio format that is read here.
    case unknownFormat(file: String)
    /// The header says something impossible, or the encoded audio is damaged.
    case malformed(file: String, reason: String)
    /// The format is known, but not this variant of it.
    case unsupported(file: String, reason: String)
    /// The file ends before its audio does, in a format of which the beginning alone cannot be trusted.
    case truncated(file: String)
    /// The audio is longer than allowed; both in seconds.
    case tooLong(file: String, duration: TimeInterval, maximum: TimeInterval)
    /// The system could not open or read the file.
    case readFailed(file: String, reason: String)

    /// The file, what is wrong with it, and what would be right.
    public var description: String {
        switch self {
        case .notFound(let file): "\(file): no such file"
        case .permissionDenied(let file): "\(file): permission denied; the file must be readable by this user"
        case .isDirectory(let file): "\(file): is a directory, not an audio file"
        case .notAFile(let file): "\(file): is neither a file nor a pipe"
        case .empty(let file): "\(file): is empty"
        case .unknownFormat(let file): "\(file): not audio in a known format (WAV, FLAC, Ogg, AIFF, AU, CAF, MP3)"
        case .malformed(let file, let reason): "\(file): damaged audio file: \(reason)"
        case .unsupported(let file, let reason): "\(file): unsupported audio: \(reason)"
        case .truncated(let file): "\(file): truncated: the file ends before its audio does"
        case .tooLong(let file, let duration, let maximum):
            "\(file): \(Int(duration)) seconds long, at most \(Int(maximum)) are allowed"
        case .readFailed(let file, let reason): "\(file): cannot be read: \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The error for a failed system call.
    init(file: String, code: Int32) {
        switch code {
        case ENOENT, ENOTDIR: self = .notFound(file: file)
        case EACCES, EPERM: self = .permissionDenied(file: file)
        case EISDIR: self = .isDirectory(file: file)
        default: self = .readFailed(file: file, reason: String(cString: strerror(code)))
        }
    }
}

/// Something about an ``AudioFile`` that did not keep it from being read.
public enum AudioFileWarning: Hashable, Sendable, CustomStringConvertible {
    /// The file ended before the end its header announces; both in bytes of audio.
    case truncated(file: String, announced: Int, found: Int)

    /// The file and what was seen.
    public var description: String {
        switch self {
        case .truncated(let file, let announced, let found):
            "\(file): truncated: \(found) of \(announced) bytes of audio are there"
        }
    }
}
