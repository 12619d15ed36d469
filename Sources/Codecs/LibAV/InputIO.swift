import CLibAV
import Media

/// Owns an `AVIOContext` that reads from a `ByteSource`.
@safe struct InputIO: ~Copyable {
    let pointer: UnsafeMutablePointer<AVIOContext>
    let state: State

    /// What the callbacks see: the source, where it stands, and the first error it had.
    final class State {
        let source: any ByteSource
        var position: Int64 = 0
        var failure: (any Error)?
        /// The file's first bytes, as the library got them.
        private(set) var head: [UInt8] = []
        /// Enough for the chunks that usually stand before a WAV file's samples.
        private static let headLength = 4096

        init(_ source: any ByteSource) { self.source = source }

        /// Takes note of bytes that were read at `position`.
        func noteHead(_ bytes: borrowing MutableSpan<UInt8>, _ count: Int) {
            guard position == Int64(head.count), head.count < Self.headLength else { return }
            for index in 0..<min(count, Self.headLength - head.count) { head.append(bytes[index]) }
        }
    }

    init(_ source: any ByteSource, bufferSize: Int = 64 << 10) throws(CodecError) {
        let state = State(source)
        guard let buffer = unsafe av_malloc(bufferSize) else {
            throw CodecError(
                call: "av_malloc",
                code: foxfire_error_nomem,
                text: "out of memory",
                subject: source.name
            )
        }
        let isSeekable = source.length != nil
        let context = unsafe avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self),
            Int32(bufferSize),
            0,
            Unmanaged.passUnretained(state).toOpaque(),
            readBytes,
            nil,
            isSeekable ? seek : nil
        )
        guard let context = unsafe context else {
            unsafe av_free(buffer)
            throw CodecError(
                call: "avio_alloc_context",
                code: foxfire_error_nomem,
                text: "out of memory",
                subject: source.name
            )
        }
        unsafe context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        unsafe pointer = unsafe context
        self.state = state
    }

    deinit {
        // The library may have replaced the buffer; the one in the context is the one to free.
        unsafe av_free(pointer.pointee.buffer)
        var owned: UnsafeMutablePointer<AVIOContext>? = unsafe pointer
        unsafe avio_context_free(&owned)
    }

    /// Where the source ends, found by reading what is left of it.
    func drain() throws -> Int64 {
        var rest = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var span = rest.mutableSpan
            let count = try state.source.read(into: &span)
            if count == 0 { return state.position }
            state.position += Int64(count)
        }
    }

    /// Throws what the source threw, if it did: its reason is truer than the library's "I/O error".
    func rethrow() throws {
        if let failure = state.failure {
            state.failure = nil
            throw failure
        }
    }
}

private func readBytes(
    _ opaque: UnsafeMutableRawPointer?,
    _ target: UnsafeMutablePointer<UInt8>?,
    _ size: Int32
) -> Int32 {
    guard let opaque = unsafe opaque, let target = unsafe target, size > 0 else {
        return foxfire_error_io
    }
    let state = unsafe Unmanaged<InputIO.State>.fromOpaque(opaque).takeUnretainedValue()
    do {
        var span = unsafe MutableSpan(_unsafeStart: target, count: Int(size))
        let count = try state.source.read(into: &span)
        state.noteHead(span, count)
        state.position += Int64(count)
        return count == 0 ? foxfire_error_eof : Int32(count)
    } catch {
        if state.failure == nil { state.failure = error }
        return foxfire_error_io
    }
}

private func seek(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
    guard let opaque = unsafe opaque else { return Int64(foxfire_error_io) }
    let state = unsafe Unmanaged<InputIO.State>.fromOpaque(opaque).takeUnretainedValue()
    let length = state.source.length ?? 0
    let target: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return length
    case SEEK_SET: target = offset
    case SEEK_CUR: target = state.position.addingReportingOverflow(offset).partialValue
    case SEEK_END: target = length.addingReportingOverflow(offset).partialValue
    default: return Int64(foxfire_error_io)
    }
    guard target >= 0 else { return Int64(foxfire_error_io) }
    do {
        try state.source.seek(to: target)
        state.position = target
        return target
    } catch {
        if state.failure == nil { state.failure = error }
        return Int64(foxfire_error_io)
    }
}
