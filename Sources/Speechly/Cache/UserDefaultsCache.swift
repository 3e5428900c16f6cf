import Foundation

/// A cache in the user's defaults.
///
/// The defaults are a property list in the home directory: not safe against two processes, and readable by
/// whoever may read the home directory. `FileCache` is both.
public final class UserDefaultsCache: CacheProtocol {
    private let storage: UserDefaults

    /// Creates a cache in the standard defaults.
    public convenience init() {
        self.init(storage: .standard)
    }

    /// Creates a cache.
    ///
    /// - Parameter storage: the defaults to keep the values in.
    public init(storage: UserDefaults) {
        self.storage = storage
    }

    /// Keeps a value, in place of the one before.
    public func setValue(_ value: String, forKey: String) {
        storage.set(value, forKey: forKey)
    }

    /// Looks a value up.
    public func getValue(forKey: String) -> String? {
        storage.string(forKey: forKey)
    }

    /// Forgets a value.
    public func removeValue(forKey: String) {
        storage.removeObject(forKey: forKey)
    }
}
