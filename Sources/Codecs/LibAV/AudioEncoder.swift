import CLibAV
public import Media

/// Encodes audio as AAC, Opus, FLAC or PCM.
///
/// Blocks of any size give the same packets. A codec's priming lies before the first sample: packets
/// begin at a time below 0 by that much, which containers tell players to skip. Memory: one frame
/// of the codec. The bytes depend on samples and settings alone; no date or version is among them.
public struct AudioEncoder: ~Copyable {
    /// Which codec.
    public enum Codec: String, Sendable, CaseIterable {
        case aac, opus, flac, pcm
    }

    /// How samples are stored where the codec has a choice.
    public enum Depth: String, Sendable, CaseIterable {
        /// 16-bit integers.
        case int16
        /// 24-bit integers.
        case int24
        /// 32-bit floats; PCM alone.
        case float32
    }

    /// How to encode.
    public struct Settings: Sendable, Hashable {
        /// Which codec.
        public var codec: Codec
        /// Bits per second; nil is 96,000 a channel for AAC and 64,000 for Opus.
        ///
        /// Lossless codecs have none.
        public var bitRate: Int?
        /// How FLAC and PCM store samples.
        public var depth: Depth

        /// Says all of it.
        public init(codec: Codec, bitRate: Int? = nil, depth: Depth = .int16) {
            self.codec = codec
            self.bitRate = bitRate
            self.depth = depth
        }
    }

    /// What it writes; known from the start.
    public let format: EncodedFormat
    /// What audio it takes.
    public let input: AudioFormat

    private var encoder: Encoder
    private let frame: FrameHandle
    private let writer: SampleWriter
    /// Samples that do not fill a frame yet, per channel.
    private var waiting: [[Float]]
    private let frameLength: Int
    /// Where the first sample lies, and how many went to the codec.
    private var first: Int64?
    private var sent: Int64 = 0
    private var isFinished = false

    /// PCM has no frames of its own; packets of this many samples do not depend on the blocks' size.
    private static let pcmFrame = 4096

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - settings: how to encode.
    ///   - input: the audio's format; Opus takes 48 kHz alone.
    /// - Throws: `CodecError` for a format or a setting that the codec cannot take.
    public init(_ settings: Settings, input: AudioFormat) throws(CodecError) {
        let subject = "\(settings.codec.rawValue) encoder"
        let name = try Self.libraryName(settings, input, subject)
        guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
            throw CodecError(
                call: "avcodec_find_encoder_by_name",
                code: 0,
                text: "FFmpeg here lacks \(name)",
                subject: subject
            )
        }
        let handle = unsafe try CodecHandle(codec)
        let context = unsafe handle.pointer
        let writer = SampleWriter(settings)
        unsafe context.pointee.sample_fmt = writer.libraryFormat
        unsafe context.pointee.sample_rate = Int32(input.sampleRate)
        unsafe context.pointee.time_base = AVRational(num: 1, den: Int32(input.sampleRate))
        unsafe av_channel_layout_default(&context.pointee.ch_layout, Int32(input.channels))
        unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
        if let bitRate = Self.bitRate(settings, input) {
            unsafe context.pointee.bit_rate = Int64(bitRate)
        }
        if settings.codec == .flac, settings.depth == .int24 {
            unsafe context.pointee.bits_per_raw_sample = 24
        }
        let encoder = try Encoder(opening: handle, subject: subject)
        let frame = try FrameHandle()
        let opened = unsafe encoder.context.pointer.pointee
        frameLength = unsafe opened.frame_size > 0 ? Int(opened.frame_size) : Self.pcmFrame
        format = unsafe EncodedFormat(
            codec: settings.codec == .pcm ? name : settings.codec.rawValue,
            content: .audio(
                input,
                priming: Int(opened.initial_padding),
                packetLength: frameLength
            ),
            configuration: encoder.configuration,
            profile: opened.profile >= 0 ? opened.profile : nil,
            bitRate: positive(opened.bit_rate)
        )
        self.input = input
        self.writer = writer
        self.encoder = encoder
        self.frame = frame
        waiting = Array(repeating: [], count: input.channels)
    }

    private static func libraryName(
        _ settings: Settings,
        _ input: AudioFormat,
        _ subject: String
    ) throws(CodecError) -> String {
        func refuse(_ text: String, _ hint: String) -> CodecError {
            CodecError(call: "open", code: 0, text: text, subject: subject, hint: hint)
        }
        switch (settings.codec, settings.depth) {
        case (.aac, _): return "aac"
        case (.opus, _):
            guard input.sampleRate == 48000 else {
                throw refuse("Opus takes 48000 Hz, not \(input.sampleRate) Hz", "resample before")
            }
            guard ![3, 4].contains(input.channels), input.channels <= 8 else {
                throw refuse(
                    "Opus has no layout for these \(input.channels) channels",
                    "it takes 1, 2 and 5 to 8"
                )
            }
            return "libopus"
        case (.flac, .float32): throw refuse("FLAC stores no floats", "depths: int16, int24")
        case (.flac, _): return "flac"
        case (.pcm, .int16): return "pcm_s16le"
        case (.pcm, .int24): return "pcm_s24le"
        case (.pcm, .float32): return "pcm_f32le"
        }
    }

    private static func bitRate(_ settings: Settings, _ input: AudioFormat) -> Int? {
        switch settings.codec {
        case .aac: settings.bitRate ?? 96_000 * input.channels
        case .opus: settings.bitRate ?? 64_000 * input.channels
        case .flac, .pcm: nil
        }
    }

    /// Encodes one block.
    ///
    /// - Parameters:
    ///   - block: must have the format `input`.
    ///   - time: when it begins; the first block's says where the stream begins, each other block
    ///     begins where the one before ended.
    /// - Returns: the packets that became full.
    /// - Throws: `CodecError` for a wrong format or time, or when the library fails.
    public mutating func encode(_ block: AudioBlock, at time: MediaTime) throws -> [EncodedUnit] {
        precondition(!isFinished, "A finished encoder takes no audio.")
        guard block.format == input else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "a block is \(block.format), not \(input)",
                subject: encoder.subject
            )
        }
        let position = time.converted(to: Int32(input.sampleRate)).value
        let expected = (first ?? position) + sent + Int64(waiting[0].count)
        if (position - expected).magnitude > 1 {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "a block begins at \(time), and the one before ended at"
                    + " \(input.time(of: expected))",
                subject: encoder.subject,
                hint: "an encoder takes audio without gaps"
            )
        }
        first = first ?? position
        for channel in 0..<input.channels {
            block.withChannel(channel) { samples in
                waiting[channel].reserveCapacity(waiting[channel].count + samples.count)
                for index in samples.indices { waiting[channel].append(samples[index]) }
            }
        }
        var units: [EncodedUnit] = []
        var used = 0
        while waiting[0].count - used >= frameLength {
            try encodeFrame(used..<used + frameLength, &units)
            used += frameLength
        }
        if used > 0 {
            for channel in waiting.indices { waiting[channel].removeFirst(used) }
        }
        return units
    }

    /// Ends encoding; no block may follow.
    ///
    /// - Returns: what the encoder still held; the last packet's duration ends with the audio.
    public mutating func finish() throws -> [EncodedUnit] {
        precondition(!isFinished, "An encoder is finished once.")
        isFinished = true
        var units: [EncodedUnit] = []
        if !waiting[0].isEmpty { try encodeFrame(waiting[0].indices, &units) }
        if sent > 0 { try unsafe run(nil, &units) }
        return units
    }

    private mutating func encodeFrame(_ range: Range<Int>, _ units: inout [EncodedUnit]) throws {
        frame.clear()
        let pointer = unsafe frame.pointer
        unsafe pointer.pointee.nb_samples = Int32(range.count)
        unsafe pointer.pointee.format = writer.libraryFormat.rawValue
        unsafe pointer.pointee.sample_rate = Int32(input.sampleRate)
        unsafe av_channel_layout_default(&pointer.pointee.ch_layout, Int32(input.channels))
        try check(
            "av_frame_get_buffer",
            unsafe av_frame_get_buffer(pointer, 0),
            encoder.subject
        )
        for channel in 0..<input.channels {
            writer.write(waiting[channel], range, channel: channel, of: input.channels, to: frame)
        }
        unsafe pointer.pointee.pts = (first ?? 0) + sent
        sent += Int64(range.count)
        try unsafe run(pointer, &units)
    }

    private mutating func run(_ frame: UnsafeMutablePointer<AVFrame>?, _ units: inout [EncodedUnit])
        throws
    {
        var made: [EncodedUnit] = []
        let (format, input, frameLength) = (format, input, frameLength)
        try unsafe encoder.encode(frame) { packet in
            let raw = unsafe packet.pointee
            let duration = unsafe raw.duration > 0 ? raw.duration : Int64(frameLength)
            let payload = unsafe EncodedPacket(
                format: format,
                copying: packet,
                at: input.time(of: raw.pts)
            )
            made.append(
                EncodedUnit(
                    packet: payload,
                    decodingTime: unsafe input.time(of: raw.dts),
                    duration: input.time(of: duration),
                    isKey: true
                )
            )
        }
        units += made
    }
}
