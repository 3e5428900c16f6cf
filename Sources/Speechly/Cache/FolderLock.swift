import Foundation

/// Keeps other processes, and other threads of this one, from what they do under the same lock.
struct FolderLock {
    private let descriptor: Int32

    /// Waits for the lock of a folder. One that is never let go, as by a process that is stopped, is passed over after a
    /// second: it keeps order among those who mend a damaged file, which is not worth a client that never starts.
    init(_ path: String) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        for _ in 0..<100 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
            usleep(10_000)
        }
    }

    func release() {
        if descriptor >= 0 { close(descriptor) }
    }
}
