public import Media

/// Tells runners of a batch, on whatever machine, that they are to stop.
///
/// Who wants all to stop writes a file anew; runners that began before see that it is another.
public struct RunnerMark: Sendable {
    private let path: String
    private let begin: String?

    private static func path(_ folder: StateFolder) -> String { "\(folder.path)/cancelled" }

    /// Notes that a runner begins.
    ///
    /// - Parameter folder: the state folder.
    public init(_ folder: StateFolder) {
        path = Self.path(folder)
        begin = FileStamp(path)?.text
    }

    /// Asks all runners that run now to stop.
    ///
    /// - Parameter folder: the state folder, which must exist.
    /// - Throws: `FileError` when it cannot be written.
    public static func cancel(_ folder: StateFolder) throws(FileError) {
        try AtomicText.write("", to: path(folder), isDurable: false)
    }

    /// Whether that was asked since this runner began.
    public var isCancelled: Bool { FileStamp(path).map { $0.text != begin } ?? false }
}
