import Foundation
import SpeechlySync

/// The Unix sockets that servers of this process listen on, so that a process that ends at once leaves none behind.
package enum ListeningSockets {
    /// Which file it is: another server may have put its own in the place, and file systems give the number of a file
    /// that is gone to the next one.
    private struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let changedSeconds: Int
        let changedNanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            changedSeconds = status.st_ctim.tv_sec
            changedNanoseconds = status.st_ctim.tv_nsec
        }
    }

    private static let sockets = Locked<[String: Identity]>([:])

    static func add(_ path: String) {
        let identity = Identity(path)
        sockets.withLock { $0[path] = identity }
    }

    /// libgrpc removes the file from here on.
    static func forget(_ path: String) { sockets.withLock { $0[path] = nil } }

    /// Removes those that are still there: the process is about to end. Any thread, but not within a signal handler of
    /// the system's.
    package static func removeAll() {
        let all = sockets.withLock { sockets in
            defer { sockets = [:] }
            return sockets
        }
        for (path, identity) in all where Identity(path) == identity { unlink(path) }
    }
}
