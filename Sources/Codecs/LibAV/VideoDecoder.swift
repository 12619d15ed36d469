import CLibAV
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

    /// Opens a decoder.
    ///
    /// - Parameters:
    ///   - format: what is decoded.
    ///   - threads: 0 takes as many as there are processors.
    ///   - toleratesDamage: whether damaged pictures will come: such a decoder works on one picture at a
    ///     time, so that what it makes of them is always the same.
    /// - Throws: `CodecError` when there is no decoder, or it refuses the format.
    public init(
        _ format: EncodedFormat,
        threads: Int = 0,
        toleratesDamage: Bool = false
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
        let decoder = try Decoder(opening: handle, threads: threads, subject: subject)
        let packet = try PacketHandle()
        self.decoder = decoder
        self.packet = packet
        color = picture.color
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
        packet.clear()
        let pointer = unsafe packet.pointer
        unsafe pointer.pointee.pts = number
        unsafe pointer.pointee.dts = number
        unsafe pointer.pointee.size = Int32(unit.bytes.count)
        // The library copies what it cannot count references to, with the padding that it wants.
        return try unsafe unit.bytes.withUnsafePointer { bytes throws(CodecError) in
            unsafe pointer.pointee.data = UnsafeMutablePointer(mutating: bytes)
            defer {
                unsafe pointer.pointee.data = nil
                unsafe pointer.pointee.size = 0
            }
            return try unsafe decoder.send(pointer)?.text
        }
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
