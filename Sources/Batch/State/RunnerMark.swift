import Glibc
public import Media

/// Tells runners of a batch, on whatever machine, that they are to stop.
///
/// A runner leaves a file when it begins; who wants all to stop leaves another. Runners that began before it stop.
public struct RunnerMark: Sendable {
    private let folder: StateFolder
    private let began: Int64

    private static func path(_ folder: StateFolder) -> String { "\(folder.path)/cancelled" }

    /// Notes that a runner begins, by the clock of the folder's file system.
    ///
    /// - Parameter folder: the state folder, which must exist.
    /// - Throws: `FileError` when it cannot be written.
    public init(_ folder: StateFolder) throws(FileError) {
        self.folder = folder
        began = try Self.touch("\(folder.path)/.began-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    }

    /// Asks all runners that run now to stop.
    ///
    /// - Parameter folder: the state folder.
    /// - Throws: `FileError` when it cannot be written.
    public static func cancel(_ folder: StateFolder) throws(FileError) {
        try AtomicText.write("", to: path(folder), isDurable: false)
    }

    /// Whether that was asked since this runner began.
    public var isCancelled: Bool {
        FileStamp(Self.path(folder)).map { $0.modified >= began } ?? false
    }

    private static func touch(_ path: String) throws(FileError) -> Int64 {
        try AtomicText.write("", to: path, isDurable: false)
        defer { unsafe unlink(path) }
        return FileStamp(path)?.modified ?? 0
    }
}
