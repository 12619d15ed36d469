import Glibc
import Media

/// A lock file, held: nobody else on this machine writes to the store meanwhile.
///
/// The lock ends with its process, however that ends; the file stays, since removing it would let two
/// writers hold locks on different files of one name. Where the file system knows no locks, there is
/// none.
struct StoreLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock, waiting for at most 10 s.
    ///
    /// - Parameter path: of the lock file; its folder must exist.
    /// - Throws: `FileError`; one that is worth trying again when somebody else keeps the lock.
    init(path: String) throws(FileError) {
        var waited: UInt32 = 0
        while true {
            let descriptor = try Self.take(path, &waited)
            // A sync tool may have put another file in its place meanwhile.
            if Self.isSame(descriptor, path) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (held, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &named) == 0 else {
            return false
        }
        return held.st_dev == named.st_dev && held.st_ino == named.st_ino
    }

    /// Opens and locks the file; `waited` counts microseconds.
    private static func take(_ path: String, _ waited: inout UInt32) throws(FileError) -> Int32 {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        let step: UInt32 = 2000
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            if code == ENOLCK || code == ENOTSUP || code == ENOSYS { break }
            guard code == EWOULDBLOCK, waited < 10_000_000 else {
                close(descriptor)
                throw FileError(path: path, call: "flock", code: code)
            }
            usleep(step)
            waited += step
        }
        return descriptor
    }

    deinit { close(descriptor) }
}
