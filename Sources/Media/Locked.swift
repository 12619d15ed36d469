public import Glibc

/// A value behind a mutex: the only lock in Foxfire.
///
/// It stands on `pthread_mutex` because ThreadSanitizer does not see into `Synchronization.Mutex`
/// and reports false races there.
///
/// Unchecked: every access to `value` holds `mutex`.
@safe public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // In memory of its own: a stored property would be checked for exclusive access once more.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Puts `value` behind a new mutex.
    public init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init failed with \(code).")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Runs `body` alone with the value and returns what it returns; must not be nested.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
