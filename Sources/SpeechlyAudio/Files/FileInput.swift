import Foundation
import SpeechlySync

/// The bytes of a file or pipe.
///
/// Reading from a pipe waits for its writer; ``stop()`` ends that wait.
final class FileInput: Sendable {
    /// What errors call the file.
    let name: String
    let descriptor: Int32
    /// The size in bytes, if it is a file; `nil` for a pipe.
    let size: Int?

    private let wake: WakeDescriptor
    private let stopped = Locked(false)

    /// Opens `path`; `-` is standard input.
    init(path: String) throws(AudioFileError) {
        let name = path == "-" ? "standard input" : path
        self.name = name
        guard !path.isEmpty else { throw .readFailed(file: "\"\"", reason: "the path is empty") }
        guard path.isWholeInC else {
            throw .readFailed(file: path.replacingOccurrences(of: "\0", with: "\\0"), reason: String.notWholeInC)
        }
        do { wake = try WakeDescriptor() } catch { throw AudioFileError(file: name, code: error.code) }
        descriptor = try Self.open(path, name: name)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw AudioFileError(file: name, code: code)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: size = Int(status.st_size)
        case S_IFIFO, S_IFSOCK: size = nil
        case let type:
            close(descriptor)
            throw type == S_IFDIR ? .isDirectory(file: name) : .notAFile(file: name)
        }
    }

    deinit { close(descriptor) }

    /// Whether ``stop()`` was called.
    var isStopped: Bool { stopped.withLock { $0 } }

    /// Makes every read from now on return nothing. Any thread.
    func stop() {
        stopped.withLock { $0 = true }
        wake.signal()
    }

    /// Fills `buffer`, or as much of it as there is before the end or ``stop()``; returns the count.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        var filled = 0
        while filled < buffer.count, let base = buffer.baseAddress {
            if size == nil { try waitUntilReadable() }
            if isStopped { break }
            let count = Foundation.read(descriptor, base + filled, buffer.count - filled)
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR && errno != EAGAIN {
                throw AudioFileError(file: name, code: errno)
            }
        }
        return filled
    }

    /// Reads `count` bytes, or fewer at the end.
    func read(_ count: Int) throws(AudioFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(AudioFileError) in try read(into: buffer) }
        }
        filled = try result.get()
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Passes over `count` bytes.
    func skip(_ count: Int) throws(AudioFileError) {
        if size != nil {
            guard lseek(descriptor, off_t(count), SEEK_CUR) >= 0 else {
                throw AudioFileError(file: name, code: errno)
            }
            return
        }
        var rest = count
        while rest > 0 {
            let skipped = try read(min(rest, 65_536)).count
            if skipped == 0 { break }
            rest -= skipped
        }
    }

    private func waitUntilReadable() throws(AudioFileError) {
        while true {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&descriptors, 2, -1) > 0 { return }
            if errno != EINTR { throw AudioFileError(file: name, code: errno) }
        }
    }

    /// Pipes that this process already has are duplicated: opened again, they would not say when they end.
    private static func open(_ path: String, name: String) throws(AudioFileError) -> Int32 {
        let prefix = "/dev/fd/"
        let inherited: Int32? =
            if path == "-" || path == "/dev/stdin" { 0 } else if path.hasPrefix(prefix) {
                Int32(path.dropFirst(prefix.count))
            } else { nil }
        let opened =
            if let inherited { fcntl(inherited, F_DUPFD_CLOEXEC, 3) } else {
                // Non-blocking, so that opening a named pipe does not wait for its writer.
                Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            }
        guard opened >= 0 else { throw AudioFileError(file: name, code: errno) }
        return opened
    }
}
