import Foundation
import SpeechlySync

/// The temporary folders of this process, so that none of them outlives it.
package enum TemporaryFolders {
    private struct State {
        var paths: Set<String> = []
        var isClosed = false
    }

    private static let state = Locked(State())

    /// Removes all of them, and lets none be made any more: the process is about to end. Any thread, but not within a
    /// signal handler of the system's.
    package static func removeAll() {
        let paths = state.withLock { state in
            state.isClosed = true
            defer { state.paths = [] }
            return state.paths
        }
        paths.forEach(DisappearingFolder.remove)
    }

    static func make(in parent: String) throws(PrivateFolderError) -> String {
        var template = Array("\(parent)/speechly-XXXXXX".utf8CString)
        // Made under the lock: a folder is known, or it is not there.
        let made = state.withLock { state -> Result<String, PrivateFolderError> in
            guard !state.isClosed else {
                return .failure(PrivateFolderError(parent: parent, reason: "the program ends"))
            }
            guard mkdtemp(&template) != nil else {
                return .failure(PrivateFolderError(parent: parent, reason: String(cString: strerror(errno))))
            }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            state.paths.insert(path)
            return .success(path)
        }
        return try made.get()
    }

    static func remove(_ path: String) {
        // Known until it is gone: who ends the process meanwhile removes it too, and waits for that.
        guard state.withLock({ $0.paths.contains(path) }) else { return }
        DisappearingFolder.remove(path)
        state.withLock { _ = $0.paths.remove(path) }
    }
}
