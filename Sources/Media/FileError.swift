import Glibc

/// A file that could not be used: which, what was tried, and what the system said.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path as it was given.
    public let path: String
    /// What was tried, as in `open` or `rename`.
    public let call: String
    /// The system's error number.
    public let code: Int32

    /// Says what failed, on which path.
    public init(path: String, call: String, code: Int32) {
        self.path = path
        self.call = call
        self.code = code
    }

    /// Whether trying again later may help: no space, no memory, busy.
    public var isTemporary: Bool {
        [ENOSPC, EDQUOT, ENOMEM, EBUSY, EAGAIN, EMFILE, ENFILE].contains(code)
    }

    /// Whether room on a disk is missing, or what its owner may use of it.
    public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// What is wrong, in words.
    public var reason: String {
        switch code {
        case ENOENT: "there is no such file or folder"
        case EACCES, EPERM: "permission denied"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of the path is not a folder"
        case ENOSPC, EDQUOT: "the disk is full"
        case EEXIST: "it came to exist while this was being written, and is kept"
        case ELOOP: "symbolic links lead in a circle"
        case ENODEV: "it is no file that could be replaced"
        case EROFS: "the file system is read-only"
        case ENAMETOOLONG: "the name is too long"
        case EMFILE, ENFILE: "too many files are open"
        default: unsafe String(cString: strerror(code))
        }
    }

    /// The path, what is wrong, and what was tried.
    public var description: String { "\(path): \(reason) (\(call))" }
}
