import SpeechlySync

/// A cache that lasts as long as the program, for a service that does so too.
package final class MemoryCache: CacheProtocol, Sendable {
    private let values = Locked<[String: String]>([:])

    package init() {}

    package func setValue(_ value: String, forKey: String) { values.withLock { $0[forKey] = value } }
    package func getValue(forKey: String) -> String? { values.withLock { $0[forKey] } }
    package func removeValue(forKey: String) { values.withLock { $0[forKey] = nil } }
}
