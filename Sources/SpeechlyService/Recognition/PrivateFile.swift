import Foundation

/// A file in a folder that only this user can enter, removed with this object.
final class PrivateFile: Sendable {
    let path: String
    private let directory: String

    /// Writes the file.
    init(name: String, contents: String) throws(RecognizerError) {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/speechly-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .temporaryFile(path: parent, reason: String(cString: strerror(errno)))
        }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = directory + "/" + name
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .temporaryFile(path: path, reason: String(cString: strerror(errno)))
        }
        var bytes = Array(contents.utf8)[...]
        var failure: Int32 = 0
        while !bytes.isEmpty, failure == 0 {
            let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                failure = errno
            }
        }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        guard failure == 0 else {
            throw .temporaryFile(path: path, reason: String(cString: strerror(failure)))
        }
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }
}
