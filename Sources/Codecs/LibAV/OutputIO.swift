import CLibAV
import Glibc
public import Media

/// Where a container's bytes go.
public enum OutputTarget: Sendable {
    /// A file beside its final name; whoever made it commits it.
    case file(OutputFile)
    /// Standard output, which cannot be rewound.
    case standardOutput
}

extension OutputTarget {
    /// What errors call it.
    var name: String {
        switch self {
        case .file(let file): file.path
        case .standardOutput: "standard output"
        }
    }

    /// Appends bytes.
    func write(_ bytes: Span<UInt8>) throws(FileError) {
        if case .file(let file) = self { return try file.write(bytes) }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    STDOUT_FILENO,
                    buffer.baseAddress.map { unsafe $0 + done },
                    buffer.count - done
                )
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(path: name, call: "write", code: errno)
            }
            done += count
        }
    }
}

/// Owns an `AVIOContext` that writes to an `OutputTarget`.
@safe struct OutputIO: ~Copyable {
    let pointer: UnsafeMutablePointer<AVIOContext>
    let state: State

    /// What the callbacks see: the target, where it stands, and the first error it had.
    final class State {
        let target: OutputTarget
        var position: Int64 = 0
        var failure: (any Error)?
        /// Reads the file back while the library moves its index to the front.
        var reader: InputIO?

        init(_ target: OutputTarget) { self.target = target }

        func write(_ bytes: Span<UInt8>) throws(FileError) {
            try target.write(bytes)
            position += Int64(bytes.count)
        }

        /// Opens the unfinished file for reading.
        func openReader() throws -> UnsafeMutablePointer<AVIOContext> {
            guard case .file(let file) = target else {
                throw FileError(path: "standard output", call: "read", code: ESPIPE)
            }
            let reader = try InputIO(FileSource(path: file.temporaryPath))
            let pointer = unsafe reader.pointer
            self.reader = consume reader
            return unsafe pointer
        }
    }

    init(_ target: OutputTarget, bufferSize: Int = 256 << 10) throws(CodecError) {
        let state = State(target)
        guard let buffer = unsafe av_malloc(bufferSize) else { throw Self.noMemory("av_malloc") }
        var isSeekable = false
        if case .file = target { isSeekable = true }
        let context = unsafe foxfire_alloc_writer(
            buffer.assumingMemoryBound(to: UInt8.self),
            Int32(bufferSize),
            Unmanaged.passUnretained(state).toOpaque(),
            writeBytes,
            isSeekable ? seek : nil
        )
        guard let context = unsafe context else {
            unsafe av_free(buffer)
            throw Self.noMemory("avio_alloc_context")
        }
        unsafe context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        unsafe pointer = context
        self.state = state
    }

    deinit {
        unsafe av_free(pointer.pointee.buffer)
        var owned: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe avio_context_free(&owned)
    }

    private static func noMemory(_ call: String) -> CodecError {
        CodecError(
            call: call,
            code: foxfire_error_nomem,
            text: "out of memory",
            subject: "output"
        )
    }

    /// Throws what the target threw, if it did: "the disk is full" says more than "I/O error".
    func rethrow() throws {
        if let failure = state.failure { throw failure }
    }
}

private func outputState(_ opaque: UnsafeMutableRawPointer?) -> OutputIO.State? {
    guard let opaque = unsafe opaque else { return nil }
    return unsafe Unmanaged<OutputIO.State>.fromOpaque(opaque).takeUnretainedValue()
}

private func writeBytes(
    _ opaque: UnsafeMutableRawPointer?,
    _ bytes: UnsafePointer<UInt8>?,
    _ count: Int32
) -> Int32 {
    guard let state = unsafe outputState(opaque), let bytes = unsafe bytes, count >= 0 else {
        return foxfire_error_io
    }
    // After a failure nothing more is written: the library goes on calling while it cleans up.
    if state.failure != nil { return foxfire_error_io }
    do {
        try state.write(unsafe Span(_unsafeStart: bytes, count: Int(count)))
        return count
    } catch {
        state.failure = error
        return foxfire_error_io
    }
}

private func seek(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let state = unsafe outputState(opaque), case .file(let file) = state.target else {
        return Int64(foxfire_error_io)
    }
    do {
        let target: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return try file.length()
        case SEEK_SET: target = offset
        case SEEK_CUR: target = state.position + offset
        case SEEK_END: target = try file.length() + offset
        default: return Int64(foxfire_error_io)
        }
        guard target >= 0 else { return Int64(foxfire_error_io) }
        try file.seek(to: target)
        state.position = target
        return target
    } catch {
        if state.failure == nil { state.failure = error }
        return Int64(foxfire_error_io)
    }
}
