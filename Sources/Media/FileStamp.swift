public import Glibc

/// What tells that a file is still the one that was looked at, without reading it.
public struct FileStamp: Sendable, Hashable {
    /// The device that holds it.
    public let device: UInt64
    /// Its number there.
    public let inode: UInt64
    /// Its length in bytes.
    public let size: Int64
    /// When its content changed, in nanoseconds since 1970.
    public let modified: Int64
    /// When anything of it changed, in nanoseconds since 1970.
    public let changed: Int64
    /// Whether it is a regular file, so that its content can be read more than once.
    public let isRegular: Bool

    /// Looks at what a path leads to.
    ///
    /// - Parameter path: any; nil where nothing is there.
    public init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Takes what the system told.
    ///
    /// - Parameter status: of a file.
    public init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// All of it in one word.
    public var text: String { "\(device):\(inode):\(size):\(modified):\(changed)" }
}
