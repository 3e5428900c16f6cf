/// Keeps strings by name from one run of the program to the next, such as access tokens and the device id.
///
/// A client uses its cache from several threads, but never from two at a time.
public protocol CacheProtocol {
    /// Keeps a value, in place of the one before.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - forKey: the name of the value.
    func setValue(_ value: String, forKey: String)

    /// Looks a value up.
    ///
    /// - Parameter forKey: the name of the value.
    /// - Returns: the value, or `nil` when there is none.
    func getValue(forKey: String) -> String?

    /// Keeps a value unless there is one.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - forKey: the name of the value.
    /// - Returns: the value that is kept now: the new one, or the one that was there.
    func setValueIfAbsent(_ value: String, forKey: String) -> String

    /// Keeps a value unless there is one that is of use: a damaged one is replaced.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - forKey: the name of the value.
    ///   - isUsable: whether a value that is there can stay.
    /// - Returns: the value that is kept now: the new one, or the one that was there.
    func setValueIfAbsent(_ value: String, forKey: String, isUsable: (String) -> Bool) -> String

    /// Forgets a value.
    ///
    /// - Parameter forKey: the name of the value.
    func removeValue(forKey: String)
}

extension CacheProtocol {
    /// Looks the value up and keeps the new one when there is none; not safe against other processes.
    public func setValueIfAbsent(_ value: String, forKey: String) -> String {
        if let present = getValue(forKey: forKey), !present.isEmpty { return present }
        setValue(value, forKey: forKey)
        return value
    }

    /// Looks the value up and replaces one that is of no use; not safe against other processes.
    public func setValueIfAbsent(_ value: String, forKey: String, isUsable: (String) -> Bool) -> String {
        let present = setValueIfAbsent(value, forKey: forKey)
        if isUsable(present) { return present }
        setValue(value, forKey: forKey)
        return value
    }

    /// Keeps an empty value, which counts as none.
    public func removeValue(forKey: String) {
        setValue("", forKey: forKey)
    }
}
