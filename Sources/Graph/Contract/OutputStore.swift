import Glibc
public import Media

/// The files a graph writes: all get their names together at its end, or none does.
public final class OutputStore: Sendable {
    private struct State {
        var files: [OutputFile] = []
        /// Those that are of no use without each other.
        var inseparable: [OutputFile] = []
        var isOver = false
    }

    private let state = Locked(State())
    private let keeps: @Sendable (String) -> Bool
    private let replaces: @Sendable (String) -> Bool
    private let tag: String

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - keeps: whether an older file of that path stays, and what was written for it is dropped.
    ///   - replaces: whether a file of that path that exists at the end is replaced; else it is an
    ///     error, and that file is kept.
    ///   - tag: a part of all files' names until the end, by which leavings of a killed run are told apart.
    public init(
        keeping keeps: @escaping @Sendable (_ path: String) -> Bool = { _ in false },
        replacing replaces: @escaping @Sendable (_ path: String) -> Bool = { _ in true },
        tag: String = ""
    ) {
        self.keeps = keeps
        self.replaces = replaces
        self.tag = tag
    }

    deinit { discard() }

    /// Creates a file beside `path` that `commit()` will name.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - isInseparable: whether it is of no use without the others of which that is said: a run that is killed
    ///     while they get their names is completed by the next one.
    /// - Returns: the file.
    /// - Throws: `FileError` when it cannot be created, and after `commit()` and `discard()`: a node
    ///   that outlives a cancelled run leaves nothing behind.
    public func open(_ path: String, isInseparable: Bool = false) throws(FileError) -> OutputFile {
        try state.withLock { (state) throws(FileError) in
            if state.isOver { throw FileError(path: path, call: "open", code: ECANCELED) }
            let file = try OutputFile(path: path, tag: tag)
            state.files.append(file)
            if isInseparable { state.inseparable.append(file) }
            return file
        }
    }

    /// The paths of all files that will get their names, in the order they were opened.
    public var paths: [String] { state.withLock { $0.files.map(\.path) }.filter { !keeps($0) } }

    /// Flushes and names all files, in the order they were opened.
    ///
    /// - Parameter withholds: is asked when all is on the disk and nothing has its name; a reason keeps it so.
    /// - Returns: that reason; all files are removed then.
    /// - Throws: the first `FileError`; all files are removed then, and older ones are as they were.
    @discardableResult
    public func commit(
        unless withholds: (_ files: [OutputFile]) throws(FileError) -> String? = { _ in nil }
    ) throws(FileError) -> String? {
        let (all, inseparable) = close()
        // What is named or removed already is not removed again.
        defer { for file in all { file.discard() } }
        let files = all.filter { !keeps($0.path) }
        for file in files { try file.flush() }
        if let reason = try withholds(files) { return reason }
        try OutputFile.commit(
            files,
            inseparable: inseparable.filter { !keeps($0.path) },
            replacing: replaces
        )
        return nil
    }

    /// Removes all that is not named yet.
    public func discard() {
        for file in close().files { file.discard() }
    }

    private func close() -> (files: [OutputFile], inseparable: [OutputFile]) {
        state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.files, state.inseparable)
        }
    }
}
