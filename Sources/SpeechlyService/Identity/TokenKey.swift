import Foundation
import SpeechlySync

/// The secret that signs the tokens of a service. Services that share it accept each other's tokens.
///
/// It appears in no description, log or error.
public struct TokenKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The least and the most bytes of a key.
    public static let lengths = 32...4_096

    let bytes: [UInt8]

    /// A key of given bytes, which have to be hard to guess: 32 random ones, for example.
    /// - Throws: ``TokenKeyError/wrongLength(origin:bytes:)`` if there are too few or too many.
    public init(_ bytes: [UInt8]) throws(TokenKeyError) { try self.init(bytes, origin: "the key") }

    /// A key that is a text, as environment variables have them; white space around it does not count.
    /// - Parameters:
    ///   - text: the key.
    ///   - origin: where it is from, for errors.
    public init(text: String, origin: String = "the key") throws(TokenKeyError) {
        try self.init(Self.trimmed(Array(text.utf8)), origin: origin)
    }

    /// A key from a file that nobody but its owner may read; white space around it does not count.
    ///
    /// - Parameter path: the file; it has to belong to the user of this process or to root.
    /// - Throws: ``TokenKeyError`` if it cannot be read, is open to others, or has a wrong length.
    public init(contentsOfFile path: String) throws(TokenKeyError) {
        if let problem = path.pathProblem { throw .unreadable(path: path, reason: problem) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a plain file")
        }
        guard status.st_mode & 0o077 == 0 else { throw .open(path: path, mode: UInt32(status.st_mode & 0o777)) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .unreadable(path: path, reason: "it belongs to another user")
        }
        var bytes = [UInt8](repeating: 0, count: Self.lengths.upperBound + 64)
        var count = 0
        while count < bytes.count {
            let length = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            if length == 0 { break }
            count += length
        }
        try self.init(Self.trimmed(Array(bytes.prefix(count))), origin: path)
    }

    private init(_ bytes: [UInt8], origin: String) throws(TokenKeyError) {
        guard Self.lengths.contains(bytes.count) else { throw .wrongLength(origin: origin, bytes: bytes.count) }
        self.bytes = bytes
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = bytes.drop(while: isSpace)
        return Array(start.prefix((start.lastIndex { !isSpace($0) } ?? start.startIndex - 1) - start.startIndex + 1))
    }

    /// Says nothing about the key.
    public var description: String { "TokenKey(hidden)" }

    /// Shows nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a token key is not taken.
public enum TokenKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// Others than its owner may read the file or write it.
    case open(path: String, mode: UInt32)
    /// There are too few bytes to be safe, or too many.
    case wrongLength(origin: String, bytes: Int)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read the token key \(path.shownPath): \(reason)"
        case .open(let path, let mode):
            "the token key \(path) is open to others (mode 0\(String(mode, radix: 8))): chmod 600 it, and make a new "
                + "key if others may have read it"
        case .wrongLength(let origin, let bytes):
            "\(origin) has \(bytes) bytes: \(TokenKey.lengths.lowerBound) to \(TokenKey.lengths.upperBound) are needed, "
                + "as 'openssl rand -hex 32' makes them"
        }
    }
}
