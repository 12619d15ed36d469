import Codecs
import Glibc
public import Media

/// Writes a capture log while a capture runs.
///
/// Records come from `CaptureLog`. Each goes to the system in one call, so that a kill of the process loses none; once a second, and at
/// the end, all is put on the medium. Not for use by several threads at once.
public final class CaptureLogWriter {
    /// Where the log is.
    public let path: String
    private let descriptor: Int32
    private var synced = ContinuousClock.now
    private var isClosed = false

    /// Begins a log; a file that was there is kept and not written to.
    ///
    /// - Parameters:
    ///   - path: where to; nothing may be there.
    ///   - session: tells captures apart; random but for tests.
    ///   - description: what the streams are.
    ///   - width: of the pictures, where known.
    ///   - height: of the pictures, where known.
    /// - Throws: `FileError` when it cannot be made or written.
    public init(
        creating path: String,
        session: UInt64 = .random(in: .min ... .max),
        description: CaptureDescription,
        width: Int? = nil,
        height: Int? = nil
    ) throws(FileError) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        try put(CaptureLog.fileHeader(session: session))
        try put(CaptureLog.record(description, width: width, height: height))
    }

    /// Goes on with a log: what a crash left of its last record is cut off.
    ///
    /// - Parameters:
    ///   - path: a log.
    ///   - description: what the streams are from here on.
    ///   - width: of the pictures, where known.
    ///   - height: of the pictures, where known.
    /// - Throws: `FileError` when it cannot be read or written; `CodecError` when it is no log.
    public init(
        appendingTo path: String,
        description: CaptureDescription,
        width: Int? = nil,
        height: Int? = nil
    ) throws {
        let end = try Self.end(of: path)
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw FileError(path: path, call: "open", code: errno) }
        if ftruncate(descriptor, off_t(end)) != 0 {
            throw FileError(path: path, call: "ftruncate", code: errno)
        }
        if lseek(descriptor, 0, SEEK_END) < 0 {
            throw FileError(path: path, call: "lseek", code: errno)
        }
        try put(CaptureLog.record(description, width: width, height: height))
    }

    deinit { if !isClosed { Glibc.close(descriptor) } }

    /// Where the last whole record of a log ends.
    private static func end(of path: String) throws -> Int64 {
        let bytes = CaptureBytes(try FileSource(path: path))
        guard case .log = try CaptureKind(bytes) else {
            throw CodecError(call: "open", code: 0, text: "it is no capture log", subject: path)
        }
        var reader = LogReader(bytes: bytes)
        while try reader.next() != nil {}
        return reader.end
    }

    /// Writes a record, as `CaptureLog` makes them.
    ///
    /// - Parameter record: its bytes.
    /// - Throws: `FileError` when writing fails.
    public func write(_ record: [UInt8]) throws(FileError) {
        try put(record)
        if ContinuousClock.now - synced >= .seconds(1) { try sync() }
    }

    /// Ends the log and puts all of it on the medium.
    ///
    /// - Throws: `FileError` when writing fails.
    public func close() throws(FileError) {
        precondition(!isClosed, "A log is closed once.")
        try put(CaptureLog.endRecord)
        try sync()
        isClosed = true
        if Glibc.close(descriptor) != 0 { throw FileError(path: path, call: "close", code: errno) }
    }

    private func sync() throws(FileError) {
        if fdatasync(descriptor) != 0 {
            throw FileError(path: path, call: "fdatasync", code: errno)
        }
        synced = .now
    }

    private func put(_ bytes: [UInt8]) throws(FileError) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let count = unsafe bytes[place...].withUnsafeBytes { memory in
                unsafe Glibc.write(descriptor, memory.baseAddress, memory.count)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw FileError(path: path, call: "write", code: errno) }
            place += count
        }
    }
}
