import Speechly
import SpeechlySync

/// A cache that lasts as long as the test.
final class MemoryCache: CacheProtocol, Sendable {
    private let values = Locked<[String: String]>([:])

    init(_ values: [String: String] = [:]) {
        self.values.withLock { $0 = values }
    }

    var contents: [String: String] { values.withLock { $0 } }

    func setValue(_ value: String, forKey: String) { values.withLock { $0[forKey] = value } }
    func getValue(forKey: String) -> String? { values.withLock { $0[forKey] } }
}
