import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written beside its final name; `commit()` flushes it to the disk and renames it, so that an
/// older file of that name stays whole until then. An output that is dropped without `commit()`
/// leaves nothing behind. Where the name is a symbolic link, the file that it leads to is written, and
/// the link stays.
///
/// One writer at a time: a node, then the engine that commits it.
public final class OutputFile: Sendable {
    /// Where the file will be.
    public let path: String
    /// Where it is until then, in the folder of the file that `path` leads to.
    public let temporaryPath: String

    /// What `path` leads to, by however many links.
    private let destination: String

    private let descriptor: Int32
    private let state = Locked(State())

    private struct State {
        /// Whether the file under `temporaryPath` is still ours to remove.
        var isPending = true
        /// Whether the descriptor is open.
        var isOpen = true
        /// Whether there was a file of its name when it got it.
        var hadOlder = false
        /// Whether that file can be had back.
        var hasOlder = false
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
    /// - Parameters:
    ///   - path: the final name; its folder must exist.
    ///   - tag: a part of its name until then, by which leavings of a killed program are told apart; short, without
    ///     slashes.
    /// - Throws: `FileError` when the folder cannot be written, or `path` is a folder or a device.
    public init(path: String, tag: String = "") throws(FileError) {
        let destination = try Self.destination(of: path)
        var status = stat()
        if unsafe stat(destination, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw FileError(path: path, call: "open", code: EISDIR) }
            if kind != S_IFREG { throw FileError(path: path, call: "open", code: ENODEV) }
        }
        let slash = destination.lastIndex(of: "/")
        let folder = slash.map { String(destination[...$0]) } ?? ""
        let name = slash.map { String(destination[destination.index(after: $0)...]) } ?? destination
        if name.isEmpty { throw FileError(path: path, call: "open", code: EISDIR) }
        // A hidden name of bounded length, so that a long final name still fits.
        var template = Array("\(folder).\(name.prefix(40)).part-\(tag)XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.path = path
        self.destination = destination
        self.descriptor = descriptor
        temporaryPath = unsafe template.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
        // mkostemp makes it private; a finished file has the rights any new file has.
        let mode =
            unsafe stat(destination, &status) == 0 ? status.st_mode & 0o777 : 0o666 & ~Self.mask
        fchmod(descriptor, mode)
    }

    deinit { discard() }

    /// The file that a path leads to by symbolic links; it may not be there yet.
    ///
    /// - Throws: `FileError` when the links lead in a circle, or through `/proc` to what a program has
    ///   open: that is no file of its own name.
    public static func destination(of path: String) throws(FileError) -> String {
        var here = path
        for _ in 0..<40 {
            if here.hasPrefix("/proc/") {
                throw FileError(path: path, call: "open", code: ENODEV)
            }
            guard let link = Folder.link(at: here) else { return here }
            here = link.hasPrefix("/") ? link : Folder.parent(of: here) + "/" + link
        }
        throw FileError(path: path, call: "open", code: ELOOP)
    }

    /// Appends `bytes` at the file's position.
    ///
    /// - Throws: `FileError`, as when the disk is full.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        let code = FileContents.write(bytes, to: descriptor)
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
    /// Where one cannot get its name, those before it lose theirs again, and what was there before is back
    /// (on file systems that have hard links).
    ///
    /// - Parameters:
    ///   - files: of a long sequence.
    ///   - inseparable: those of them that are of no use without each other: a run that is killed while they
    ///     get their names is completed by `OutputJournal.complete`.
    ///   - replaces: whether a file that has this name already is replaced.
    /// - Throws: the first `FileError`; no file has its name then.
    public static func commit(
        _ files: [OutputFile],
        inseparable: [OutputFile] = [],
        replacing replaces: (_ path: String) -> Bool = { _ in true }
    ) throws(FileError) {
        // A disk that turns out to be full leaves all older files as they were.
        for file in files { try file.flush() }
        let journal = try OutputJournal(
            inseparable.map { (temporary: $0.temporaryPath, final: $0.destination) }
        )
        var named: [OutputFile] = []
        do throws(FileError) {
            for file in files {
                // Behind the last one nothing can fail.
                try file.name(replaces: replaces(file.path), keepsOlder: file !== files.last)
                named.append(file)
            }
        } catch {
            for file in named.reversed() { file.takeBack() }
            journal?.remove()
            throw error
        }
        journal?.remove()
        for file in named { file.forgetOlder() }
        for folder in Set(files.map(\.folder)) { flush(folder: folder) }
    }

    private var folder: String { Folder.parent(of: destination) }

    /// Brings what was written to the disk.
    ///
    /// - Throws: `FileError`, as when the disk is full.
    package func flush() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            precondition(state.isPending, "An output can be committed once.")
            let handle =
                state.isOpen ? descriptor : unsafe open(temporaryPath, O_RDONLY | O_CLOEXEC)
            let code = handle >= 0 && fsync(handle) == 0 ? 0 : errno
            if !state.isOpen, handle >= 0 { close(handle) }
            if code != 0 { throw FileError(path: path, call: "fsync", code: code) }
        }
    }

    private func name(replaces: Bool, keepsOlder: Bool) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            var isNamed = false
            state.hadOlder = Folder.kind(of: destination) == .file
            // A second name for the older file, by which it can be had back.
            if replaces, keepsOlder, state.hadOlder, unsafe link(destination, olderPath) == 0 {
                state.hasOlder = true
            }
            if !replaces {
                // A second name, which unlike renaming fails where there is a file.
                isNamed = unsafe link(temporaryPath, destination) == 0
                if !isNamed, errno == EEXIST || Folder.kind(of: destination) != .nothing {
                    throw FileError(path: path, call: "link", code: EEXIST)
                }
                if isNamed { unsafe unlink(temporaryPath) }
            }
            // Some file systems have no second names.
            if !isNamed, unsafe rename(temporaryPath, destination) != 0 {
                let code = errno
                if state.hasOlder { unsafe unlink(olderPath) }
                state.hasOlder = false
                throw FileError(path: path, call: "rename", code: code)
            }
            state.isPending = false
            if state.isOpen { close(descriptor) }
            state.isOpen = false
        }
    }

    /// Where an older file is while this one has its name and may yet lose it.
    private var olderPath: String { temporaryPath + ".old" }

    /// Loses its name again; what was there before is back.
    private func takeBack() {
        state.withLock { state in
            if state.hasOlder {
                unsafe rename(olderPath, destination)
                state.hasOlder = false
            } else if !state.hadOlder {
                unsafe unlink(destination)
            }
        }
    }

    /// Gives up what was there before.
    private func forgetOlder() {
        state.withLock { state in
            if state.hasOlder { unsafe unlink(olderPath) }
            state.hasOlder = false
        }
    }

    /// A new name is on the disk only when its folder is.
    package static func flush(folder: String) {
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
