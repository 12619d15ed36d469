import CLibAV
import Glibc
public import Media

/// Decodes encoded video, packet by packet.
///
/// Pictures come in the order of showing, each with the number that its packet had. Colours that a picture
/// does not tell are those of the stream's format. Memory: the pictures that the codec keeps, and one for each
/// thread.
public struct VideoDecoder: ~Copyable {
    private var decoder: Decoder
    private var layout = FrameLayout()
    private let packet: PacketHandle
    private let color: ColorInfo
    private let codec: String
    private let variant: Variant

    /// How a decoder treats what a stream leaves open; what it says in full decodes alike with all.
    public enum Variant: Sendable {
        /// As the library does.
        case plain
        /// What is never decoded is dark, and nothing stands behind a slice.
        case dark
        /// What is never decoded is bright, and other bytes stand behind each slice than those that end it.
        ///
        /// So what this decoder gives differs from what a dark one gives where a slice breaks off, or was
        /// changed so that it ends too early or too late.
        case bright

        /// What pictures are filled with before they are decoded.
        fileprivate var fill: Int32? {
            switch self {
            case .plain: nil
            case .dark: 0x11
            case .bright: 0xDD
            }
        }
    }

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - format: what is decoded.
    ///   - threads: 0 takes as many as there are processors.
    ///   - toleratesDamage: whether damaged pictures will come: such a decoder works on one picture at a
    ///     time, so that what it makes of them is always the same.
    ///   - variant: how it treats what the stream leaves open.
    /// - Throws: `CodecError` when there is no decoder, or it refuses the format.
    public init(
        _ format: EncodedFormat,
        threads: Int = 0,
        toleratesDamage: Bool = false,
        variant: Variant = .plain
    ) throws(CodecError) {
        let subject = "\(format.codec) decoder"
        guard case .video(let picture, _) = format.content,
            let descriptor = unsafe avcodec_descriptor_get_by_name(format.codec)
        else {
            throw CodecError(
                call: "avcodec_descriptor_get_by_name",
                code: 0,
                text: "there is no codec of pictures \"\(format.codec)\"",
                subject: subject
            )
        }
        let handle = unsafe try Decoder.handle(descriptor.pointee.id, subject)
        try handle.setConfiguration(format.configuration)
        unsafe handle.pointer.pointee.pkt_timebase = AVRational(num: 1, den: 1)
        if toleratesDamage { unsafe handle.pointer.pointee.thread_type = FF_THREAD_SLICE }
        if let fill = variant.fill {
            let context = unsafe handle.pointer
            // The number itself stands in the place of an address.
            unsafe context.pointee.opaque = UnsafeMutableRawPointer(bitPattern: Int(fill))
            unsafe context.pointee.get_buffer2 = { context, frame, flags in
                let code = unsafe avcodec_default_get_buffer2(context, frame, flags)
                guard code >= 0, let frame = unsafe frame, let context = unsafe context else {
                    return code
                }
                let fill = Int32(Int(bitPattern: unsafe context.pointee.opaque))
                unsafe fillPlanes(frame, with: fill)
                return code
            }
        }
        let decoder = try Decoder(opening: handle, threads: threads, subject: subject)
        let packet = try PacketHandle()
        self.decoder = decoder
        self.packet = packet
        color = picture.color
        codec = format.codec
        self.variant = variant
    }

    /// Gives the decoder a packet, or with nil the end; all pictures must have been taken before.
    ///
    /// - Parameters:
    ///   - unit: the packet.
    ///   - number: what its picture will be called; numbers rise in the order of showing.
    /// - Returns: what is wrong with it, where it could not be decoded.
    /// - Throws: `CodecError` when memory ran out.
    public mutating func send(_ unit: EncodedPacket?, number: Int64 = 0) throws(CodecError)
        -> String?
    {
        guard let unit else { return try unsafe decoder.send(nil)?.text }
        if case .bright = variant {
            let longer = unit.bytes.withSpan { lengthened($0, codec) }
            return try send(longer, number)
        }
        return try unsafe unit.bytes.withUnsafePointer { bytes throws(CodecError) in
            unsafe try send(bytes, unit.bytes.count, number)
        }
    }

    private mutating func send(_ bytes: [UInt8], _ number: Int64) throws(CodecError) -> String? {
        unsafe try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
            guard let base = buffer.baseAddress else { return nil }
            return unsafe try send(base, buffer.count, number)
        }
    }

    private mutating func send(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ number: Int64)
        throws(CodecError) -> String?
    {
        packet.clear()
        let pointer = unsafe packet.pointer
        unsafe pointer.pointee.pts = number
        unsafe pointer.pointee.dts = number
        unsafe pointer.pointee.size = Int32(clamping: count)
        // The library copies what it cannot count references to, with the padding that it wants.
        unsafe pointer.pointee.data = UnsafeMutablePointer(mutating: bytes)
        defer {
            unsafe pointer.pointee.data = nil
            unsafe pointer.pointee.size = 0
        }
        return try unsafe decoder.send(pointer)?.text
    }

    /// The next picture; nil when another packet is needed, or at the end.
    ///
    /// - Parameter tell: gets what could not be decoded.
    /// - Returns: the picture, its packet's number, and whether the library calls it damaged.
    /// - Throws: `CodecError` when memory ran out.
    public mutating func next(_ tell: (String) -> Void) throws(CodecError) -> (
        picture: VideoFrame, number: Int64, isDamaged: Bool
    )? {
        while true {
            switch try decoder.receive() {
            case .nothing: return nil
            case .fault(let fault): tell(fault.text)
            case .frame(let fault):
                let number = unsafe decoder.frame.pointer.pointee.pts
                let errors = unsafe decoder.frame.pointer.pointee.decode_error_flags
                let picture = try layout.picture(decoder.frame, untold: color)
                return (picture, number, fault != nil || errors != 0)
            }
        }
    }
}

extension CodecHandle {
    /// Gives the codec what stands outside of packets (FFmpeg's extradata).
    func setConfiguration(_ bytes: [UInt8]) throws(CodecError) {
        if bytes.isEmpty { return }
        // The context owns it from here on.
        unsafe pointer.pointee.extradata = try paddedCopy(bytes)
        unsafe pointer.pointee.extradata_size = Int32(bytes.count)
    }
}

/// Fills all of a picture's memory.
private func fillPlanes(_ frame: UnsafeMutablePointer<AVFrame>, with value: Int32) {
    func fill(_ buffer: UnsafeMutablePointer<AVBufferRef>?) {
        guard let buffer = unsafe buffer, let data = unsafe buffer.pointee.data else { return }
        unsafe memset(data, value, buffer.pointee.size)
    }
    unsafe fill(frame.pointee.buf.0)
    unsafe fill(frame.pointee.buf.1)
    unsafe fill(frame.pointee.buf.2)
}

/// An access unit with other bytes behind each slice; a slice that is whole decodes alike.
private func lengthened(_ unit: Span<UInt8>, _ codec: String) -> [UInt8] {
    let bytes = unsafe unit.withUnsafeBufferPointer { unsafe Array($0) }
    var scanner = AnnexBScanner()
    _ = scanner.append(bytes[...])
    scanner.finish()
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 256)
    while let found = scanner.next() {
        result += [0, 0, 0, 1]
        result += bytes[found.start..<found.end]
        let head = bytes[found.start]
        let isSlice = codec == "hevc" ? head >> 1 & 0x3F < 32 : (1...5).contains(head & 0x1F)
        if isSlice { result += repeatElement(0x5A, count: 64) }
    }
    return result
}
