import Glibc

/// Which file a path means, whatever it is called.
public struct FileIdentity: Hashable {
    /// Device and inode of a file that exists, else its absolute path.
    private enum Key: Hashable {
        case existing(device: UInt64, inode: UInt64)
        case path(String)
    }

    private let key: Key

    /// The folder's real path and the file's name, which may hold a number's place.
    let path: String

    /// Nil for what is not a file that could be overwritten: standard input, devices, pipes.
    public init?(_ path: String) {
        guard path != "-", !path.hasPrefix("builtin:"), !path.isEmpty else { return nil }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let real = unsafe realpath(folder, nil)
        defer { unsafe free(real) }
        let base = unsafe real.map { unsafe String(cString: $0) } ?? folder
        self.path = base.hasSuffix("/") ? base + name : base + "/" + name
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return nil }
            key = .existing(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        } else {
            key = .path(self.path)
        }
    }

    /// Whether both are the same file, whatever their paths.
    public static func == (first: Self, second: Self) -> Bool { first.key == second.key }

    /// Of the file, not of its path.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// Whether this file is one of the numbered files that `pattern`'s path names.
    func isNumbered(by pattern: FileIdentity) -> Bool {
        guard let number = Self.number(in: path, pattern: pattern.path) else { return false }
        return OutputPath.name(of: number, in: pattern.path) == path
    }

    /// The number that stands in `path` where the pattern has its place; nil where the rest differs.
    private static func number(in path: String, pattern: String) -> Int64? {
        let file = Array(path.utf8)
        let bytes = Array(pattern.utf8)
        let percent = UInt8(ascii: "%")
        var start = 0
        var index = 0
        while index < bytes.count {
            if bytes[index] == percent {
                guard index + 1 < bytes.count, bytes[index + 1] == percent else { break }
                index += 1
            }
            guard start < file.count, file[start] == bytes[index] else { return nil }
            start += 1
            index += 1
        }
        let digits = file[min(start, file.count)...].prefix { $0.isDigit }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}
