import CLibAV
public import Media

/// Reads the encoded pictures of a movie of a constant frame rate without decoding them.
///
/// A container's clock rounds times; here they are those of whole frames again. Memory: one packet, and the
/// movie's index.
public struct PacketReader: ~Copyable {
    /// What the packets are.
    public let format: EncodedFormat
    /// How many pictures there are a second.
    public let frameRate: Rate

    private let input: InputHandle
    private let packet: PacketHandle
    private let index: Int

    /// Opens a movie.
    ///
    /// - Parameter path: a file.
    /// - Throws: `FileError` when it cannot be read; `CodecError` when it is no media file or has no video of a
    ///   known frame rate.
    public init(path: String) throws {
        let input = try InputHandle(FileSource(path: path), limits: ReadLimits())
        let packet = try PacketHandle()
        let info = input.info()
        guard let index = info.bestVideo, let stream = unsafe input.stream(index),
            case .video(let picture, let rate?) = info.streams[index].content
        else {
            throw CodecError(
                call: "open",
                code: 0,
                text: "it has no video of a constant frame rate",
                subject: path
            )
        }
        let parameters = unsafe stream.pointee.codecpar.pointee
        var configuration: [UInt8] = []
        if let data = unsafe parameters.extradata {
            unsafe configuration = Array(
                UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size))
            )
        }
        format = unsafe EncodedFormat(
            codec: info.streams[index].codec,
            content: .video(picture, frameRate: rate),
            configuration: configuration,
            profile: parameters.profile,
            level: parameters.level > 0 ? parameters.level : nil
        )
        frameRate = rate
        self.packet = packet
        self.input = input
        self.index = index
    }

    /// Reads the next packet, in the order of decoding; nil behind the last one.
    ///
    /// - Parameters:
    ///   - format: what the packet shall say of itself.
    ///   - rate: how many pictures there are a second.
    /// - Returns: the packet.
    /// - Throws: `FileError` when the file cannot be read; `CodecError` for a packet without times.
    public mutating func next(as format: EncodedFormat, at rate: Rate) throws -> EncodedUnit? {
        while true {
            let code = unsafe av_read_frame(input.pointer, packet.pointer)
            try input.io.rethrow()
            if code == foxfire_error_eof { return nil }
            try check("av_read_frame", code, input.name)
            defer { packet.clear() }
            let raw = unsafe packet.pointer.pointee
            guard unsafe Int(raw.stream_index) == index, let stream = unsafe input.stream(index)
            else { continue }
            let base = unsafe stream.pointee.time_base
            guard let shown = unsafe Fraction(raw.pts, base)?.time,
                let decoded = unsafe Fraction(raw.dts, base)?.time
            else {
                throw CodecError(
                    call: "av_read_frame",
                    code: 0,
                    text: "a packet has no time",
                    subject: input.name
                )
            }
            let time = rate.time(of: rate.index(nearest: shown))
            return unsafe EncodedUnit(
                packet: EncodedPacket(format: format, copying: packet.pointer, at: time),
                decodingTime: rate.time(of: rate.index(nearest: decoded)),
                duration: rate.interval,
                isKey: raw.flags & AV_PKT_FLAG_KEY != 0
            )
        }
    }
}
