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
    private let state = Locked(State())

    private struct State {
        /// Whether the file under `temporaryPath` is still ours to remove.
        var isPending = true
        /// Whether the descriptor is open.
        var isOpen = true
    }

    /// The rights that new files do not get.
    ///
    /// Asking changes them for a moment for the whole process, so it is done once.
    private static let mask: mode_t = {
        let mask = umask(0)
        umask(mask)
        return mask
    }()

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
        let mode = unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o666 & ~Self.mask
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

    /// Ends writing and closes the file; only its name is missing then.
    ///
    /// For sequences of thousands of files, whose descriptors would run out else.
    ///
    /// - Throws: `FileError`, as when the system had not written everything yet and cannot.
    public func seal() throws(FileError) {
        let code = state.withLock { state -> Int32 in
            guard state.isOpen else { return 0 }
            state.isOpen = false
            return close(descriptor) == 0 ? 0 : errno
        }
        if code != 0 && code != EINTR { throw FileError(path: path, call: "close", code: code) }
    }

    /// Whether writing has ended.
    public var isSealed: Bool { state.withLock { !$0.isOpen } }

    /// Flushes the file to the disk and gives it its name, replacing an older one.
    ///
    /// - Throws: `FileError`; the older file is then still whole.
    public func commit() throws(FileError) {
        try Self.commit([self])
    }

    /// Flushes files and gives them their names, in order, and their folders once for all.
    ///
    /// - Parameter files: of a long sequence.
    /// - Throws: the first `FileError`; the files not yet named are still pending then.
    public static func commit(_ files: [OutputFile]) throws(FileError) {
        // A disk that turns out to be full leaves all older files as they were.
        for file in files { try file.flush() }
        for file in files { try file.name() }
        for folder in Set(files.map(\.folder)) { flush(folder: folder) }
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    private func flush() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            precondition(state.isPending, "An output can be committed once.")
            let handle =
                state.isOpen ? descriptor : unsafe open(temporaryPath, O_RDONLY | O_CLOEXEC)
            let code = handle >= 0 && fsync(handle) == 0 ? 0 : errno
            if !state.isOpen, handle >= 0 { close(handle) }
            if code != 0 { throw FileError(path: path, call: "fsync", code: code) }
        }
    }

    private func name() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            if unsafe rename(temporaryPath, path) != 0 {
                throw FileError(path: path, call: "rename", code: errno)
            }
            state.isPending = false
            if state.isOpen { close(descriptor) }
            state.isOpen = false
        }
    }

    /// A new name is on the disk only when its folder is.
    private static func flush(folder: String) {
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
        state.withLock { state in
            guard state.isPending else { return }
            state.isPending = false
            if state.isOpen { close(descriptor) }
            state.isOpen = false
            unsafe unlink(temporaryPath)
        }
    }
}
