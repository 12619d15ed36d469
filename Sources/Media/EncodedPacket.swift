/// What a stream of encoded packets is: all a container must know of it.
public struct EncodedFormat: StreamFormat {
    /// What was encoded.
    public enum Content: Hashable, Sendable {
        /// Pictures of this format, at a constant rate when one is known.
        case video(VideoFormat, frameRate: Rate?)
        /// Audio of this format; `priming` samples come before the first one to be heard, and a
        /// packet holds `packetLength` samples (0: it varies).
        case audio(AudioFormat, priming: Int, packetLength: Int)
    }

    /// The codec's name as FFmpeg has it: `h264`, `hevc`, `aac`, `opus`, `flac`, `pcm_s16le`.
    public let codec: String
    /// What was encoded.
    public let content: Content
    /// The codec's configuration (FFmpeg's extradata).
    public let configuration: [UInt8]
    /// The codec's profile number as FFmpeg has it, where known.
    public let profile: Int32?
    /// The codec's level number as FFmpeg has it, where known.
    public let level: Int32?
    /// Bits per second, where known.
    public let bitRate: Int64?
    /// When time 0 was, in ns since the start of 1970, where known.
    public let epoch: Int64?
    /// Whether packets are as they were received, and not encoded here: nobody asks whether they decode.
    public let isReceived: Bool

    /// Says all of it.
    public init(
        codec: String,
        content: Content,
        configuration: [UInt8],
        profile: Int32? = nil,
        level: Int32? = nil,
        bitRate: Int64? = nil,
        epoch: Int64? = nil,
        isReceived: Bool = false
    ) {
        self.codec = codec
        self.content = content
        self.configuration = configuration
        self.profile = profile
        self.level = level
        self.bitRate = bitRate
        self.epoch = epoch
        self.isReceived = isReceived
    }

    /// Codec and content in words.
    public var description: String {
        switch content {
        case .video(let format, let rate):
            "\(codec) \(format)" + (rate.map { " at \($0) fps" } ?? "")
        case .audio(let format, _, _): "\(codec) \(format)"
        }
    }
}

/// One encoded packet: an access unit of video, or a frame of audio.
///
/// The time of the graph packet that carries it is its decoding time; whether it is a key packet is
/// that packet's flag.
public final class EncodedPacket: Payload {
    /// What stream it belongs to.
    public let format: EncodedFormat
    /// The packet as the codec made it.
    public let bytes: Lease<UInt8>
    /// When it is shown or heard.
    public let presentationTime: MediaTime

    /// The packet's length.
    public var byteCount: Int { bytes.byteCount }

    /// Makes a packet of what was written.
    public init(
        format: EncodedFormat,
        bytes: consuming Writable<UInt8>,
        presentationTime: MediaTime
    ) {
        self.format = format
        self.bytes = bytes.frozen()
        self.presentationTime = presentationTime
    }
}
