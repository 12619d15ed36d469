import CLibAV
import Media

/// What went wrong in one call of a decoder: damage of the input, to be told and passed over.
struct DecodeFault {
    let text: String
}

/// Owns a decoder and takes it through its packets.
@safe struct Decoder: ~Copyable {
    let context: CodecHandle
    let frame: FrameHandle
    let subject: String

    /// Opens the decoder of a stream.
    ///
    /// - Parameters:
    ///   - stream: the stream, which must outlive only this call.
    ///   - threads: for video; 0 takes as many as there are processors.
    ///   - subject: what errors call the stream.
    /// - Throws: `CodecError` when there is no decoder or it refuses the stream.
    init(
        _ stream: UnsafeMutablePointer<AVStream>,
        threads: Int,
        subject: String
    ) throws(CodecError) {
        self.subject = subject
        guard
            let codec = unsafe avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
        else {
            throw CodecError(
                call: "avcodec_find_decoder",
                code: 0,
                text: "there is no decoder for it",
                subject: subject
            )
        }
        let context = unsafe try CodecHandle(codec)
        let pointer = unsafe context.pointer
        try check(
            "avcodec_parameters_to_context",
            unsafe avcodec_parameters_to_context(pointer, stream.pointee.codecpar),
            subject
        )
        // The decoder needs the stream's clock to move times when it skips priming samples.
        unsafe pointer.pointee.pkt_timebase = stream.pointee.time_base
        unsafe pointer.pointee.max_pixels = 16384 * 16384
        unsafe pointer.pointee.thread_count = Int32(clamping: threads)
        try check("avcodec_open2", unsafe avcodec_open2(pointer, codec, nil), subject)
        frame = try FrameHandle()
        self.context = context
    }

    /// Decodes one packet, or with nil what is still inside, and hands each frame to `body`.
    ///
    /// - Returns: a fault when the packet could not be decoded.
    /// - Throws: what `body` throws, or `CodecError` when memory ran out.
    mutating func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?,
        _ body: (borrowing FrameHandle) throws -> Void
    ) throws -> DecodeFault? {
        var fault: DecodeFault?
        var failures = 0
        let sent = unsafe avcodec_send_packet(context.pointer, packet)
        if sent < 0, sent != foxfire_error_eof {
            if sent == foxfire_error_nomem { try check("avcodec_send_packet", sent, subject) }
            fault = DecodeFault(text: describe(sent))
        }
        while true {
            let code = unsafe avcodec_receive_frame(context.pointer, frame.pointer)
            if code == foxfire_error_again || code == foxfire_error_eof { return fault }
            if code < 0 {
                if code == foxfire_error_nomem { try check("avcodec_receive_frame", code, subject) }
                fault = DecodeFault(text: describe(code))
                // With several threads an error belongs to one frame, and others may follow; a
                // decoder that only gives errors must not hold us, so the next packet comes first.
                failures += 1
                if unsafe packet != nil || failures > 64 { return fault }
                continue
            }
            if unsafe frame.pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 {
                fault = DecodeFault(text: "a damaged frame")
            }
            defer { frame.clear() }
            try body(frame)
        }
    }

    /// Forgets what is inside, after a seek.
    mutating func reset() { unsafe avcodec_flush_buffers(context.pointer) }
}
