import SpeechlySync

/// The applications of a service at this moment.
final class ApplicationCatalog: Sendable {
    private let state: Locked<ApplicationDirectory>

    init(_ directory: ApplicationDirectory) { state = Locked(directory) }

    var current: ApplicationDirectory { state.withLock { $0 } }

    /// Puts others in their place.
    /// - Returns: the applications that are no longer there.
    func replace(_ directory: ApplicationDirectory) -> [Application] {
        let old = state.withLock { state in
            defer { state = directory }
            return state
        }
        let kept = Set(directory.all.map(ObjectIdentifier.init))
        return old.all.filter { !kept.contains(ObjectIdentifier($0)) }
    }
}
