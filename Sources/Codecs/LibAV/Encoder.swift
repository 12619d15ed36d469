import CLibAV
import Media

/// Owns an opened encoder and the packet it fills.
@safe struct Encoder: ~Copyable {
    let context: CodecHandle
    let subject: String
    private let packet: PacketHandle

    /// Takes a codec whose context is set up, and opens it.
    init(opening context: consuming CodecHandle, subject: String) throws(CodecError) {
        try check(
            "avcodec_open2",
            unsafe avcodec_open2(context.pointer, nil, nil),
            subject
        )
        let packet = try PacketHandle()
        self.packet = packet
        self.subject = subject
        self.context = context
    }

    /// What the codec has put into its global header.
    var configuration: [UInt8] {
        let size = unsafe Int(context.pointer.pointee.extradata_size)
        guard size > 0, let data = unsafe context.pointer.pointee.extradata else { return [] }
        return unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
    }

    /// Encodes one frame, or with nil what is still inside, and hands each packet to `body`.
    mutating func encode(
        _ frame: UnsafeMutablePointer<AVFrame>?,
        _ body: (UnsafeMutablePointer<AVPacket>) throws -> Void
    ) throws {
        try check(
            "avcodec_send_frame",
            unsafe avcodec_send_frame(context.pointer, frame),
            subject
        )
        while true {
            let code = unsafe avcodec_receive_packet(context.pointer, packet.pointer)
            if code == foxfire_error_again || code == foxfire_error_eof { return }
            try check("avcodec_receive_packet", code, subject)
            defer { packet.clear() }
            // FLAC ends with a packet of no bytes that only corrects the header.
            if unsafe packet.pointer.pointee.size == 0 { continue }
            try unsafe body(packet.pointer)
        }
    }
}

extension EncodedPacket {
    /// Copies the library's packet.
    convenience init(
        format: EncodedFormat,
        copying packet: UnsafeMutablePointer<AVPacket>,
        at time: MediaTime
    ) {
        let count = unsafe Int(packet.pointee.size)
        var bytes = Writable<UInt8>(uninitialized: count)
        if let data = unsafe packet.pointee.data {
            unsafe bytes.withUnsafeMutablePointer { unsafe $0.update(from: data, count: count) }
        }
        self.init(format: format, bytes: bytes, presentationTime: time)
    }
}
