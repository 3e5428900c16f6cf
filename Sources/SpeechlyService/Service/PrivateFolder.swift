import Foundation

/// A new folder for temporary files that only this user can enter, removed with this object.
final class PrivateFolder: Sendable {
    let path: String

    /// Makes the folder where the environment says temporary files belong.
    /// - Parameter longestPath: if the path would be longer, in bytes, the folder is made in `/tmp`.
    init(longestPath: Int = 4_000) throws(PrivateFolderError) {
        let variable = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        let parent = variable.isEmpty || variable.utf8.count + 16 > longestPath ? "/tmp" : variable
        path = try TemporaryFolders.make(in: parent)
    }

    deinit { remove() }

    /// Removes the folder now. It stays removed.
    func remove() { TemporaryFolders.remove(path) }

    /// Writes a file that only this user can read.
    /// - Returns: its path.
    func write(_ contents: String, to name: String) throws(RecognizerError) -> String {
        let path = self.path + "/" + name
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .temporaryFile(path: path, reason: String(cString: strerror(errno)))
        }
        var bytes = Array(contents.utf8)[...]
        var failure: Int32 = 0
        while !bytes.isEmpty, failure == 0 {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
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
        return path
    }
}

/// Why a folder for temporary files could not be made.
struct PrivateFolderError: Error, CustomStringConvertible {
    var parent: String
    var reason: String

    var description: String { "cannot make a temporary folder in \(parent): \(reason); check TMPDIR" }
}
