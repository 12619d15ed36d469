import Codecs
import Glibc
public import Media

/// Writes a capture log while a capture runs.
///
/// Each record goes to the system in one call, so that a kill of the process loses none; once a second, and at
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
        try write(CaptureLog.fileHeader(session: session)[...])
        try describe(description, width: width, height: height)
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
        try describe(description, width: width, height: height)
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

    /// Says what the streams are from here on; pictures are stream 0, audio stream 1.
    public func describe(_ description: CaptureDescription, width: Int? = nil, height: Int? = nil)
        throws(FileError)
    {
        let json = LogDescription.write(description, width: width, height: height)
        try write(.description, json[...])
    }

    /// Writes an access unit.
    ///
    /// - Parameters:
    ///   - unit: its bytes, as the decoder would get them; at most `CaptureLog.payloadLimit`.
    ///   - stamp: what is known of it; its offset does not count.
    /// - Throws: `FileError` when writing fails.
    public func write(unit: ArraySlice<UInt8>, _ stamp: CaptureStamp) throws(FileError) {
        try write(.video, unit, stamp, stream: 0)
    }

    /// Writes a packet of audio.
    ///
    /// - Parameters:
    ///   - packet: Opus; empty where the host was silent.
    ///   - stamp: what is known of it; its offset does not count.
    ///   - hasRedundancy: whether it is the body of a datagram 0xD2, with the packet before behind it.
    /// - Throws: `FileError` when writing fails.
    public func write(
        packet: ArraySlice<UInt8>,
        _ stamp: CaptureStamp,
        hasRedundancy: Bool = false
    ) throws(FileError) {
        try write(
            .audio,
            packet,
            stamp,
            stream: 1,
            flags: hasRedundancy ? CaptureLog.Flag.redundancy : 0
        )
    }

    /// Writes mastering display and light levels as they came in a datagram 0xCE, without its tag.
    public func write(hdr body: ArraySlice<UInt8>) throws(FileError) { try write(.hdr, body) }

    /// Writes that the host was asked for another mode.
    public func write(mode width: UInt32, _ height: UInt32, _ rate: Rate) throws(FileError) {
        var bytes: [UInt8] = []
        for number in [width, height, UInt32(rate.numerator), UInt32(rate.denominator)] {
            bytes.append(littleEndian: number)
        }
        try write(.mode, bytes[...])
    }

    /// Writes that the host's clock was set by so many ns.
    public func write(clockStep: Int64) throws(FileError) {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: clockStep)
        try write(.clockStep, bytes[...])
    }

    /// Ends the log and puts all of it on the medium.
    ///
    /// - Throws: `FileError` when writing fails.
    public func close() throws(FileError) {
        precondition(!isClosed, "A log is closed once.")
        try write(.end, [])
        try sync()
        isClosed = true
        if Glibc.close(descriptor) != 0 { throw FileError(path: path, call: "close", code: errno) }
    }

    private func write(
        _ kind: CaptureLog.Kind,
        _ payload: ArraySlice<UInt8>,
        _ stamp: CaptureStamp = CaptureStamp(),
        stream: UInt8 = 0,
        flags: UInt32 = 0
    ) throws(FileError) {
        precondition(payload.count <= CaptureLog.payloadLimit, "A payload has at most 64 MiB.")
        let header = CaptureLog.Header(
            kind: kind.rawValue,
            stream: stream,
            flags: (stamp.flags ?? 0) | flags | (stamp.isComplete ? 0 : CaptureLog.Flag.partial),
            index: stamp.index ?? 0,
            time: stamp.time ?? 0,
            received: stamp.received ?? 0
        )
        try write(CaptureLog.record(header, payload)[...])
        if ContinuousClock.now - synced >= .seconds(1) { try sync() }
    }

    private func sync() throws(FileError) {
        if fdatasync(descriptor) != 0 {
            throw FileError(path: path, call: "fdatasync", code: errno)
        }
        synced = .now
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
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
