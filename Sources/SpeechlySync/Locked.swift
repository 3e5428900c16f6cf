import Foundation

/// A value that can be reached only while its lock is held.
///
/// It stands over a pthread mutex instead of `Synchronization.Mutex`, because the thread sanitizer
/// understands the former and reports every contended use of the latter.
///
/// What uses it may be in another module and is compiled with it (`@inlinable`): a lock around a value whose type is
/// not known in advance costs several times as much as the lock. The value has memory of its own, since each access to
/// a property of a class is looked up among those under way.
package final class Locked<Value>: @unchecked Sendable {
    // Sendable: `value` is touched only between lock and unlock of `mutex`.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` with exclusive access to the value. Not reentrant.
    @inlinable
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Runs `body` with exclusive access to the value, unless that would mean to wait for another thread.
    ///
    /// - Returns: what `body` returns; `nil` when another thread holds the lock.
    @inlinable
    @inline(__always)
    package func tryWithLock<Result>(_ body: (inout Value) -> Result) -> Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return body(&value.pointee)
    }
}
