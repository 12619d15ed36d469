import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written beside its final name; `commit()` flushes it to the disk and renames it, so that an
/// older file of that name stays whole until then. An output that is dropped without `commit()`
/// leaves nothing behind.
///
/// One writer at a time: a node, then the engine that commits it.
public final class OutputFile: Sendable {
    /// Where the file will be.
    public let path: String
    /// Where it is until then, in the same folder.
    public let temporaryPath: String

    private let descriptor: Int32
    /// Whether the file under `temporaryPath` is still ours to remove.
    private let pending = Locked(true)

    /// Creates the file beside `path`.
    ///
    /// - Parameter path: the final name; its folder must exist.
    /// - Throws: `FileError` when the folder cannot be written or `path` is a folder.
    public init(path: String) throws(FileError) {
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw FileError(path: path, call: "open", code: EISDIR)
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        if name.isEmpty { throw FileError(path: path, call: "open", code: EISDIR) }
        // A hidden name of bounded length, so that a long final name still fits.
        var template = Array("\(folder).\(name.prefix(40)).part-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.path = path
        self.descriptor = descriptor
        temporaryPath = unsafe template.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
        // mkostemp makes it private; a finished file has the rights any new file has.
        let mask = umask(0)
        umask(mask)
        let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o666 & ~mask
        fchmod(descriptor, mode)
    }

    deinit { discard() }

    /// Appends `bytes` at the file's position.
    ///
    /// - Throws: `FileError`, as when the disk is full.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        let code: Int32 = unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += written
            }
            return 0
        }
        if code != 0 { throw FileError(path: path, call: "write", code: code) }
    }

    /// Moves the file's position to `offset` bytes from its start, maybe beyond its end.
    public func seek(to offset: Int64) throws(FileError) {
        if lseek(descriptor, off_t(offset), SEEK_SET) < 0 {
            throw FileError(path: path, call: "lseek", code: errno)
        }
    }

    /// The file's length so far, in bytes.
    public func length() throws(FileError) -> Int64 {
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 {
            throw FileError(path: path, call: "fstat", code: errno)
        }
        return Int64(status.st_size)
    }

    /// Reads bytes back: what was written so far, for a library that rewrites headers.
    ///
    /// - Returns: how many bytes were read; 0 at the end of the file.
    public func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw FileError(path: path, call: "read", code: errno) }
        }
    }

    /// Flushes the file to the disk and gives it its name, replacing an older one.
    ///
    /// - Throws: `FileError`; the older file is then still whole.
    public func commit() throws(FileError) {
        try pending.withLock { (pending) throws(FileError) in
            precondition(pending, "An output can be committed once.")
            if fsync(descriptor) != 0 { throw FileError(path: path, call: "fsync", code: errno) }
            if unsafe rename(temporaryPath, path) != 0 {
                throw FileError(path: path, call: "rename", code: errno)
            }
            pending = false
            close(descriptor)
        }
        // The new name is on the disk only when the folder is.
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let handle = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if handle >= 0 {
            fsync(handle)
            close(handle)
        }
    }

    /// Removes what was written; does nothing after `commit()`.
    ///
    /// An older file of this name stays.
    public func discard() {
        pending.withLock { pending in
            guard pending else { return }
            pending = false
            close(descriptor)
            unsafe unlink(temporaryPath)
        }
    }
}
