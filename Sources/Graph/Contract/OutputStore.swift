public import Media

/// The files a graph writes: all get their names together at its end, or none does.
public final class OutputStore: Sendable {
    private let files = Locked<[OutputFile]>([])

    /// Makes an empty store.
    public init() {}

    deinit { discard() }

    /// Creates a file beside `path` that `commit()` will name.
    ///
    /// - Throws: `FileError` when it cannot be created.
    public func open(_ path: String) throws(FileError) -> OutputFile {
        let file = try OutputFile(path: path)
        files.withLock { $0.append(file) }
        return file
    }

    /// The paths of all files so far, in the order they were opened.
    public var paths: [String] { files.withLock { $0.map(\.path) } }

    /// Flushes and names all files, in the order they were opened.
    ///
    /// - Throws: the first `FileError`; the files not yet named are removed then.
    public func commit() throws(FileError) {
        let all = files.withLock { files in
            defer { files = [] }
            return files
        }
        for file in all { try file.commit() }
    }

    /// Removes all that is not named yet.
    public func discard() {
        let all = files.withLock { files in
            defer { files = [] }
            return files
        }
        for file in all { file.discard() }
    }
}
