import CLibAV
import Glibc
public import Media

/// Bytes to be read from somewhere: a file, a pipe, or what a caller brings.
///
/// One reader at a time.
public protocol ByteSource: AnyObject {
    /// What errors call it: a path, `standard input`.
    var name: String { get }
    /// The length in bytes; nil for a stream, which cannot seek.
    var length: Int64? { get }
    /// Reads some bytes, waiting for them; 0 at the end.
    func read(into bytes: inout MutableSpan<UInt8>) throws -> Int
    /// Moves to `offset` bytes from the start; only called when there is a length.
    func seek(to offset: Int64) throws
}

/// A file, or standard input, as a source of bytes.
public final class FileSource: ByteSource {
    /// The path, or `standard input`.
    public let name: String
    /// The length in bytes; nil for a pipe.
    public let length: Int64?
    private let descriptor: Int32

    /// Opens the file at `path`; `-` is standard input.
    ///
    /// - Throws: `FileError` when there is none, it is a folder, or it may not be read.
    public init(path: String) throws(FileError) {
        if path == "-" {
            name = "standard input"
            // A copy, so that closing it leaves the process's own standard input open.
            descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        } else {
            name = path
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        }
        if descriptor < 0 { throw FileError(path: name, call: "open", code: errno) }
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 {
            let code = errno
            close(descriptor)
            throw FileError(path: name, call: "fstat", code: code)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw FileError(path: name, call: "open", code: EISDIR)
        }
        // A file that standard input stands in the middle of is read on from there, like a pipe.
        let isWhole = status.st_mode & S_IFMT == S_IFREG && lseek(descriptor, 0, SEEK_CUR) == 0
        length = isWhole ? Int64(status.st_size) : nil
    }

    /// Opens the file at `path` where there is one; nil where there is none.
    ///
    /// - Throws: `FileError` when it is a folder, or may not be read.
    public convenience init?(ifPresent path: String) throws(FileError) {
        if unsafe access(path, F_OK) != 0 { return nil }
        try self.init(path: path)
    }

    deinit { close(descriptor) }

    /// Reads some bytes; 0 at the end.
    public func read(into bytes: inout MutableSpan<UInt8>) throws -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 { return count }
            if errno != EINTR { throw FileError(path: name, call: "read", code: errno) }
        }
    }

    /// Moves to `offset` bytes from the start.
    public func seek(to offset: Int64) throws {
        if lseek(descriptor, off_t(offset), SEEK_SET) < 0 {
            throw FileError(path: name, call: "lseek", code: errno)
        }
    }
}

/// Bytes in memory as a source.
public final class MemorySource: ByteSource {
    /// What errors call it.
    public let name: String
    private let bytes: [UInt8]
    private var position = 0
    /// The number of bytes.
    public var length: Int64? { Int64(bytes.count) }

    /// Reads from `bytes`, called `name` in errors.
    public init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    /// Reads some bytes; 0 at the end.
    public func read(into target: inout MutableSpan<UInt8>) throws -> Int {
        let count = min(target.count, bytes.count - position)
        for index in 0..<max(0, count) { target[index] = bytes[position + index] }
        position += max(0, count)
        return max(0, count)
    }

    /// Moves to `offset` bytes from the start.
    public func seek(to offset: Int64) throws {
        position = Int(clamping: max(0, min(offset, Int64(bytes.count))))
    }
}
