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
    private var failures = 0
    private var isDraining = false

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
        let handle = unsafe try Self.handle(stream.pointee.codecpar.pointee.codec_id, subject)
        let pointer = unsafe handle.pointer
        try check(
            "avcodec_parameters_to_context",
            unsafe avcodec_parameters_to_context(pointer, stream.pointee.codecpar),
            subject
        )
        // The decoder needs the stream's clock to move times when it skips priming samples.
        unsafe pointer.pointee.pkt_timebase = stream.pointee.time_base
        try self.init(opening: handle, threads: threads, subject: subject)
    }

    /// Opens a decoder that was set up.
    ///
    /// - Parameters:
    ///   - handle: knows its codec and the stream's parameters.
    ///   - threads: for video; 0 takes as many as there are processors.
    ///   - subject: what errors call the stream.
    /// - Throws: `CodecError` when it refuses the stream.
    init(opening handle: consuming CodecHandle, threads: Int, subject: String) throws(CodecError) {
        self.subject = subject
        let pointer = unsafe handle.pointer
        unsafe pointer.pointee.max_pixels = 16384 * 16384
        unsafe pointer.pointee.thread_count = Int32(clamping: threads)
        try check(
            "avcodec_open2",
            unsafe avcodec_open2(pointer, pointer.pointee.codec, nil),
            subject
        )
        frame = try FrameHandle()
        context = handle
    }

    /// A decoder's context, not opened yet.
    static func handle(_ id: AVCodecID, _ subject: String) throws(CodecError) -> CodecHandle {
        guard let codec = unsafe avcodec_find_decoder(id) else {
            throw CodecError(
                call: "avcodec_find_decoder",
                code: 0,
                text: "there is no decoder for it",
                subject: subject
            )
        }
        return unsafe try CodecHandle(codec)
    }

    /// Gives the decoder one packet, or with nil the end; all frames must have been received before.
    ///
    /// - Returns: a fault when the packet could not be decoded.
    /// - Throws: `CodecError` when memory ran out.
    mutating func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(CodecError)
        -> DecodeFault?
    {
        failures = 0
        isDraining = unsafe packet == nil
        let code = unsafe avcodec_send_packet(context.pointer, packet)
        if code >= 0 || code == foxfire_error_eof { return nil }
        if code == foxfire_error_nomem { try check("avcodec_send_packet", code, subject) }
        return DecodeFault(text: describe(code))
    }

    /// What the decoder gave when it was asked for a frame.
    enum Answer {
        /// A frame, now in `frame`; the fault tells that it is damaged.
        case frame(DecodeFault?)
        /// No frame, since something could not be decoded; others may follow.
        case fault(DecodeFault)
        /// No frame before the next packet.
        case nothing
    }

    /// Asks for the next frame.
    ///
    /// - Returns: what there is; a frame stays in `frame` until the next call.
    /// - Throws: `CodecError` when memory ran out.
    mutating func receive() throws(CodecError) -> Answer {
        frame.clear()
        // A decoder that only gives errors must not hold us: the next packet comes first.
        if failures > (isDraining ? 64 : 0) { return .nothing }
        let code = unsafe avcodec_receive_frame(context.pointer, frame.pointer)
        if code == foxfire_error_again || code == foxfire_error_eof { return .nothing }
        if code < 0 {
            if code == foxfire_error_nomem { try check("avcodec_receive_frame", code, subject) }
            failures += 1
            return .fault(DecodeFault(text: describe(code)))
        }
        let isDamaged = unsafe frame.pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
        return .frame(isDamaged ? DecodeFault(text: "a damaged frame") : nil)
    }

    /// Forgets what is inside, after a seek.
    mutating func reset() { unsafe avcodec_flush_buffers(context.pointer) }
}
