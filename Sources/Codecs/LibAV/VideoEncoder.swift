import CLibAV
public import Media

/// Encodes pictures as H.264 (x264) or HEVC (x265) at a constant quality, and a frame rate that may vary.
///
/// The bytes depend on pictures and settings alone: the number of threads is one of the settings,
/// since both libraries write other bytes for other numbers, and nothing follows from the machine.
/// Memory: the library's lookahead, up to about 60 pictures.
public struct VideoEncoder: ~Copyable {
    /// Which codec.
    public enum Codec: String, Sendable, CaseIterable {
        /// H.264, by x264.
        case h264
        /// H.265, by x265.
        case hevc
    }

    /// How to encode.
    public struct Settings: Sendable, Hashable {
        /// Which codec.
        public var codec: Codec
        /// The constant rate factor, 0…51: less is better and larger; x264's own scale.
        public var crf: Double
        /// How much the library tries, `ultrafast` … `placebo`.
        public var preset: String
        /// Threads of the library, 1…64; they are part of what decides the bytes.
        public var threads: Int
        /// Seconds between two key frames at most.
        public var keyInterval: Double

        /// Says all of it.
        public init(
            codec: Codec = .h264,
            crf: Double = 16,
            preset: String = "veryfast",
            threads: Int = 4,
            keyInterval: Double = 4
        ) {
            self.codec = codec
            self.crf = crf
            self.preset = preset
            self.threads = threads
            self.keyInterval = keyInterval
        }
    }

    /// The presets that both libraries have, the fastest first.
    public static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow", "placebo",
    ]

    /// What it writes; known from the start.
    public let format: EncodedFormat
    /// What pictures it takes.
    public let input: VideoFormat
    /// How many pictures there are a second; nil: it varies.
    public let frameRate: Rate?

    private var encoder: Encoder
    private let frame: FrameHandle
    private var lastIndex: Int64?
    private var clock: PictureClock
    /// The first pictures' places, as many as the encoder may reorder and one more.
    private var firstIndices: [Int64] = []
    /// By how many pictures x265 lets decoding run ahead; 0 for H.264, whose times are always right.
    private let reorderDepth: Int
    private var isFinished = false

    /// Opens an encoder.
    ///
    /// - Parameters:
    ///   - settings: how to encode.
    ///   - input: the pictures' format: `yuv420p`, or `yuv420p10` for ten bits, of even sides.
    ///   - frameRate: how many pictures there are a second; nil where that varies: pictures then keep their
    ///     times, and the library reckons with 60.
    /// - Throws: `CodecError` for a format or a setting that the codec cannot take.
    public init(_ settings: Settings, input: VideoFormat, frameRate: Rate?) throws(CodecError) {
        let subject = "\(settings.codec.rawValue) encoder"
        try Self.validate(settings, input, subject)
        let context = try Self.context(settings, input, frameRate ?? PictureClock.nominal, subject)
        let encoder = try Encoder(opening: context, subject: subject)
        let frame = try FrameHandle()
        let opened = unsafe encoder.context.pointer.pointee
        format = unsafe EncodedFormat(
            codec: settings.codec.rawValue,
            content: .video(input, frameRate: frameRate),
            configuration: encoder.configuration,
            profile: opened.profile,
            level: opened.level > 0 ? opened.level : nil
        )
        self.input = input
        self.frameRate = frameRate
        clock = PictureClock(rate: frameRate)
        reorderDepth = settings.codec == .hevc ? 2 : 0
        self.encoder = encoder
        self.frame = frame
    }

    private static func validate(
        _ settings: Settings,
        _ input: VideoFormat,
        _ subject: String
    ) throws(CodecError) {
        func refuse(_ text: String, _ hint: String) -> CodecError {
            CodecError(call: "open", code: 0, text: text, subject: subject, hint: hint)
        }
        guard input.layout == .yuv420p || input.layout == .yuv420p10 else {
            throw refuse(
                "it cannot take \(input.layout)",
                "convert to yuv420p or yuv420p10 before"
            )
        }
        guard input.width % 2 == 0, input.height % 2 == 0 else {
            throw refuse(
                "a picture of \(input.width)x\(input.height) has an odd side",
                "4:2:0 video needs even sides: scale it before"
            )
        }
        guard presets.contains(settings.preset) else {
            throw refuse(
                "there is no preset \"\(settings.preset)\"",
                "presets: " + presets.joined(separator: ", ")
            )
        }
        guard (0...51).contains(settings.crf) else {
            throw refuse("crf \(settings.crf) is out of range", "it is 0 to 51")
        }
        guard (1...64).contains(settings.threads) else {
            throw refuse("\(settings.threads) threads are out of range", "it is 1 to 64")
        }
        guard settings.keyInterval > 0, settings.keyInterval <= 3600 else {
            throw refuse("a key interval of \(settings.keyInterval) s is out of range", "0 to 3600")
        }
    }

    private static func context(
        _ settings: Settings,
        _ input: VideoFormat,
        _ rate: Rate,
        _ subject: String
    ) throws(CodecError) -> CodecHandle {
        let name = settings.codec == .h264 ? "libx264" : "libx265"
        guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
            throw CodecError(
                call: "avcodec_find_encoder_by_name",
                code: 0,
                text: "FFmpeg here lacks \(name)",
                subject: subject,
                hint: "install Debian's libavcodec-extra59 or libavcodec59"
            )
        }
        let handle = unsafe try CodecHandle(codec)
        let context = unsafe handle.pointer
        unsafe context.pointee.width = Int32(input.width)
        unsafe context.pointee.height = Int32(input.height)
        unsafe context.pointee.pix_fmt = input.layout.libraryFormat
        unsafe context.pointee.time_base = AVRational(num: rate.denominator, den: rate.numerator)
        unsafe context.pointee.framerate = AVRational(num: rate.numerator, den: rate.denominator)
        unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        let interval = (settings.keyInterval * rate.perSecond).rounded()
        unsafe context.pointee.gop_size = Int32(max(1, min(interval, 100_000)))
        unsafe context.pointee.thread_count = Int32(settings.threads)
        unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        unsafe context.pointee.flags |= foxfire_flag_closed_gop
        unsafe context.pointee.colorspace = input.color.libraryMatrix
        unsafe context.pointee.color_range = input.color.libraryRange
        unsafe context.pointee.color_primaries = input.color.libraryPrimaries
        unsafe context.pointee.color_trc = input.color.libraryTransfer
        unsafe context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        try handle.set("preset", settings.preset, subject)
        try handle.set("crf", "\(settings.crf)", subject)
        if settings.codec == .h264, av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 {
            // x264's code for AVX-512 reads memory that it never wrote (in the macroblock tree, for
            // widths of other than multiples of 128), so that bytes differ from run to run. That for
            // AVX2 does not, is as fast, and gives the bytes that other machines give.
            try handle.set("x264-params", "asm=avx2,fma3,bmi1,bmi2,lzcnt", subject)
        }
        if settings.codec == .hevc {
            // Frame threads decide bytes and else follow the machine; the pool must only exist, or
            // wavefronts, which decide bytes too, would be off.
            let frameThreads = max(1, min(16, settings.threads / 2))
            try handle.set(
                "x265-params",
                "log-level=none:info=0:open-gop=0:pools=\(settings.threads)"
                    + ":frame-threads=\(frameThreads)",
                subject
            )
        }
        return handle
    }

    /// Encodes one picture.
    ///
    /// - Parameters:
    ///   - picture: must have the format `input`.
    ///   - time: when it is shown; taken to the nearest n/frameRate, and later than the one before.
    ///   - duration: how long it is shown; counts where the frame rate varies.
    /// - Returns: what the encoder gives back: nothing while it looks ahead.
    /// - Throws: `CodecError` for a wrong format or time, or when the library fails.
    public mutating func encode(
        _ picture: VideoFrame,
        at time: MediaTime,
        for duration: MediaTime = .zero
    ) throws -> [EncodedUnit] {
        precondition(!isFinished, "A finished encoder takes no pictures.")
        guard picture.format == input else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "a picture is \(picture.format), not \(input)",
                subject: encoder.subject
            )
        }
        guard let index = clock.index(of: time, for: duration, after: lastIndex) else {
            throw CodecError(
                call: "encode",
                code: 0,
                text: "a picture at \(time) is not after the one before",
                subject: encoder.subject,
                hint: frameRate.map { "pictures come at \($0) a second" }
            )
        }
        lastIndex = index
        if firstIndices.count <= reorderDepth { firstIndices.append(index) }
        frame.clear()
        try frame.refer(to: picture)
        unsafe frame.pointer.pointee.pts = index
        return try unsafe run(frame.pointer)
    }

    /// Ends encoding; no picture may follow.
    ///
    /// - Returns: what the encoder still held.
    public mutating func finish() throws -> [EncodedUnit] {
        precondition(!isFinished, "An encoder is finished once.")
        isFinished = true
        return try unsafe run(nil)
    }

    private mutating func run(_ frame: UnsafeMutablePointer<AVFrame>?) throws -> [EncodedUnit] {
        var units: [EncodedUnit] = []
        let (format, clock) = (format, clock)
        // Of fewer pictures than it may reorder, which all come at the end, x265 tells decoding times
        // that it never set.
        let isShort = isFinished && firstIndices.count <= reorderDepth
        var next = (firstIndices.first ?? 0) - Int64(reorderDepth)
        try unsafe encoder.encode(frame) { packet in
            let raw = unsafe packet.pointee
            let payload = unsafe EncodedPacket(
                format: format,
                copying: packet,
                at: clock.time(of: raw.pts)
            )
            let decodingIndex = unsafe isShort ? next : raw.dts
            next += 1
            units.append(
                EncodedUnit(
                    packet: payload,
                    decodingTime: clock.time(of: decodingIndex),
                    duration: clock.duration(of: unsafe raw.pts),
                    isKey: unsafe raw.flags & AV_PKT_FLAG_KEY != 0
                )
            )
        }
        if let done = units.last { self.clock.forget(before: done.decodingTime) }
        return units
    }
}

/// Numbers the pictures that a library counts, and gives numbers their times back.
private struct PictureClock {
    /// What a library reckons with where the rate varies.
    static let nominal = Rate(60)

    private let rate: Rate?
    /// Where the rate varies, pictures that the library may still hold.
    private var pictures: [(time: MediaTime, duration: MediaTime)] = []
    /// The number of the first of them.
    private var first: Int64 = 0

    init(rate: Rate?) { self.rate = rate }

    /// The number of a picture; nil where it is not after the one before.
    mutating func index(of time: MediaTime, for duration: MediaTime, after last: Int64?) -> Int64? {
        if let rate {
            let index = rate.index(nearest: time)
            return last.map { index > $0 } ?? true ? index : nil
        }
        if let before = pictures.last, time <= before.time { return nil }
        pictures.append((time, duration))
        return first + Int64(pictures.count) - 1
    }

    /// When a picture is; numbers before the first of all go on backwards at the nominal rate.
    func time(of index: Int64) -> MediaTime {
        if let rate { return rate.time(of: index) }
        guard index < first, let begin = pictures.first else {
            return pictures[Int(min(index - first, Int64(pictures.count) - 1))].time
        }
        let early = Self.nominal.time(of: index - first)
        return begin.time.adding(early)
    }

    func duration(of index: Int64) -> MediaTime {
        if let rate { return rate.interval }
        let place = Int(index - first)
        return pictures.indices.contains(place) ? pictures[place].duration : Self.nominal.interval
    }

    /// Forgets pictures that were decoded; the last stays, to check the next one's time by.
    mutating func forget(before time: MediaTime) {
        while pictures.count > 1, pictures[0].time < time {
            pictures.removeFirst()
            first += 1
        }
    }
}
