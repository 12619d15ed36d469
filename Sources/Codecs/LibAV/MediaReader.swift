import CLibAV
public import Media

/// What a reader gives: audio or a picture, and when it belongs.
public enum Decoded: Sendable {
    /// Audio; each block begins where the one before ended, counted in samples.
    case audio(AudioBlock, time: MediaTime)
    /// A picture, when it is shown, and how long.
    case video(VideoFrame, time: MediaTime, duration: MediaTime)
}

/// Which stream of a kind to decode.
public enum StreamChoice: Sendable, Hashable {
    /// None.
    case none
    /// The one a player would take, or none when there is none.
    case ifPresent
    /// The one a player would take; none is an error.
    case best
    /// The stream of this number in the file.
    case stream(Int)
}

/// What of a file to decode.
public struct ReadOptions: Sendable {
    /// Where in the file the timeline begins.
    public var start: MediaTime
    /// Where in the file it ends, if before the file does.
    public var end: MediaTime?
    /// Which audio stream.
    public var audio: StreamChoice
    /// Which video stream.
    public var video: StreamChoice
    /// Threads of the video decoder; 0 for as many as there are processors: results do not differ.
    public var threads: Int
    /// How much of the file may be looked at to find out what it is.
    public var limits: ReadLimits

    /// Says all of it; by default all that a player would play.
    public init(
        start: MediaTime = .zero,
        end: MediaTime? = nil,
        audio: StreamChoice = .ifPresent,
        video: StreamChoice = .ifPresent,
        threads: Int = 0,
        limits: ReadLimits = ReadLimits()
    ) {
        self.start = start
        self.end = end
        self.audio = audio
        self.video = video
        self.threads = threads
        self.limits = limits
    }
}

/// Decodes the audio and the video of one file, in the order in which the file has them.
///
/// Times begin at 0 at `start`. Gaps in audio become silence, overlaps are trimmed, a stream that
/// starts late stays late, and a codec's priming is skipped, so that audio is consecutive and exact
/// to the sample. A clock that jumps or runs backwards is made continuous, and what cannot be
/// decoded is passed over; `damage` tells.
///
/// Memory is bounded by the codec's own reordering. Decoding is deterministic, whatever the number
/// of threads, on undamaged input.
public struct MediaReader: ~Copyable {
    /// What the file holds.
    public let info: MediaInfo
    /// What was wrong with the file so far; complete when `next()` has given nil.
    public private(set) var damage = DamageReport()

    private let input: InputHandle
    private let packet: PacketHandle
    private var audio: AudioTrack?
    private var video: VideoTrack?
    private var clock: ClockRepair
    private var tail: FileTail
    private var state = State.reading
    /// Whether any packet was read.
    private var hasRead = false
    private var failures = 0
    private var misplaced = 0
    /// Where in the file the packet lies that is being decoded, where known.
    private var place: Int64?

    private enum State { case reading, flushed, done }

    /// A reader that only fails ends after this many failures in a row.
    private static let patience = 100

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: a file; `-` is standard input.
    ///   - options: what of it to decode.
    /// - Throws: `FileError` when it cannot be read; `CodecError` when it is no media file or lacks
    ///   a stream that was asked for.
    public init(path: String, options: ReadOptions = ReadOptions()) throws {
        try self.init(FactoryHeader.mending(FileSource(path: path)), options: options)
    }

    /// Opens a source of bytes.
    ///
    /// - Parameters:
    ///   - source: where bytes come from.
    ///   - options: what of it to decode.
    /// - Throws: what the source throws; `CodecError` when it is no media file or lacks a stream
    ///   that was asked for.
    public init(_ source: any ByteSource, options: ReadOptions = ReadOptions()) throws {
        let input = try InputHandle(source, limits: options.limits)
        let info = input.info()
        let name = source.name
        let length = options.end.map { (Fraction($0) - Fraction(options.start)).time }
        let audioIndex = try Self.pick(options.audio, "audio", info.bestAudio, info, name)
        let videoIndex = try Self.pick(options.video, "video", info.bestVideo, info, name)
        let wanted = [audioIndex, videoIndex].compactMap { $0 }
        if wanted.isEmpty, options.audio != .none || options.video != .none {
            throw CodecError(
                call: "open",
                code: 0,
                text: "it has neither audio nor video that can be decoded",
                subject: name
            )
        }
        let tail = try FileTail(
            info,
            wanted: wanted,
            source: source,
            head: input.io.state.head,
            position: input.io.state.position
        )
        if !tail.watchesAll { Self.discardOthers(input, keeping: wanted) }
        let zero = Self.zero(input, info)
        let end = info.duration.map { zero.seconds + $0.seconds }
        let packet = try PacketHandle()
        let origin = Fraction((zero + Fraction(options.start)).time)
        let audio = try Self.openAudio(audioIndex, input, info, origin: origin, end: length)
        let video = try Self.openVideo(
            videoIndex,
            input,
            info,
            threads: options.threads,
            origin: origin,
            end: length
        )
        Self.seek(input, info, to: zero + Fraction(options.start), audio: audioIndex)
        clock = ClockRepair(
            start: origin.seconds,
            plausibleEnd: info.durationIsEstimated ? nil : end
        )
        self.info = info
        self.input = input
        self.packet = packet
        self.audio = audio
        self.video = video
        self.tail = tail
    }

    /// Decodes on to the next block or frame; nil at the end.
    ///
    /// - Throws: what the source throws, or `CodecError` when memory ran out. Damage does not throw.
    public mutating func next() throws -> Decoded? {
        while true {
            if let decoded = try takeAudio() ?? takeVideo() { return decoded }
            switch state {
            case .reading:
                if audio?.isDone ?? true, video?.isDone ?? true {
                    finish()
                } else {
                    try readPacket()
                }
            case .flushed:
                let length = try info.byteCount ?? (tail.needsLength ? input.io.drain() : nil)
                if let missing = tail.verdict(
                    position: bytePosition,
                    length: length,
                    at: position
                ) {
                    damage.add(missing)
                }
                finish()
            case .done: return nil
            }
        }
    }

    private mutating func finish() {
        state = .done
        guard let strange = audio?.strange else { return }
        damage.add(
            Damage(
                kind: .corrupt,
                time: strange.first,
                bytePosition: nil,
                text: "\(strange.count) samples from here on are no numbers, and became silence"
            )
        )
    }

    /// The largest magnitude so far where the file stores floats, else 0; full scale is 1.
    public var peakOfFloats: Float { audio?.peak ?? 0 }

    /// Where the furthest stream has got to.
    private var position: MediaTime? {
        guard let heard = audio?.position else { return video?.position }
        guard let seen = video?.position else { return heard }
        return max(heard, seen)
    }

    private var bytePosition: Int64? { input.io.state.position }

    private mutating func readPacket() throws {
        let code = unsafe av_read_frame(input.pointer, packet.pointer)
        if code < 0 {
            try input.io.rethrow()
            try readFailed(code)
            return
        }
        failures = 0
        hasRead = true
        defer { packet.clear() }
        let index = unsafe Int(packet.pointer.pointee.stream_index)
        guard let stream = unsafe input.stream(index) else { return }
        unsafe tail.note(packet.pointer, stream.pointee.time_base)
        guard index == audio?.index || index == video?.index else { return }
        unsafe noteClock(index, stream.pointee.time_base)
        try send(index, flushing: false)
    }

    private mutating func takeAudio() throws -> Decoded? {
        guard let audio else { return nil }
        var faults: [DecodeFault] = []
        let taken = try audio.take { faults.append($0) }
        for fault in faults { tell(fault, audio.position) }
        return taken.map { .audio($0, time: $1) }
    }

    private mutating func takeVideo() throws -> Decoded? {
        guard let video else { return nil }
        var faults: [DecodeFault] = []
        let taken = try video.take { faults.append($0) }
        for fault in faults { tell(fault, video.position) }
        tellMisplaced()
        return taken.map { .video($0, time: $1, duration: $2) }
    }

    /// Sends the packet, or the end, to the decoder of stream `index`.
    private mutating func send(_ index: Int?, flushing: Bool) throws {
        let data: UnsafeMutablePointer<AVPacket>? = unsafe flushing ? nil : packet.pointer
        place = unsafe flushing ? nil : positive(packet.pointer.pointee.pos)
        if let audio, audio.index == index, !audio.isDone, let fault = try unsafe audio.send(data) {
            tell(fault, audio.position)
        }
        if let video, video.index == index, !video.isDone, let fault = try unsafe video.send(data) {
            tell(fault, video.position)
        }
    }

    private mutating func readFailed(_ code: Int32) throws {
        if code == foxfire_error_nomem { try check("av_read_frame", code, input.name) }
        if code != foxfire_error_eof {
            if !hasRead, info.byteCount == nil, info.container.hasPrefix("mov") {
                throw CodecError(
                    call: "av_read_frame",
                    code: code,
                    text: "its index stands after its media, and a pipe cannot be read twice",
                    subject: input.name,
                    hint: "name the file, or put the index first (ffmpeg -movflags +faststart)"
                )
            }
            damage.add(
                Damage(
                    kind: .corrupt,
                    time: position,
                    bytePosition: bytePosition,
                    text: describe(code)
                )
            )
            failures += 1
            if failures < Self.patience { return }
        }
        try send(audio?.index, flushing: true)
        try send(video?.index, flushing: true)
        state = .flushed
    }

    private mutating func tell(_ fault: DecodeFault, _ time: MediaTime) {
        damage.add(
            Damage(kind: .corrupt, time: time, bytePosition: place, text: fault.text)
        )
    }

    private mutating func tellMisplaced() {
        guard let video, video.misplaced > misplaced else { return }
        misplaced = video.misplaced
        damage.add(
            Damage(
                kind: .times,
                time: video.position,
                bytePosition: place,
                text: "a frame's time was not after the one before; it was put after it"
            )
        )
    }

    /// Moves the packet when the file's clock has jumped.
    private mutating func noteClock(_ index: Int, _ base: AVRational) {
        let raw = unsafe packet.pointer.pointee
        let stamp = unsafe raw.dts != foxfire_no_time ? raw.dts : raw.pts
        guard let time = Fraction(stamp, base) else { return }
        let duration = unsafe Fraction(raw.duration, base)?.seconds ?? 0
        let jump = clock.note(stream: index, time: time.seconds, duration: duration)
        // Packets are moved, not frames: what is still inside a decoder lies before the jump.
        if clock.shift != 0 { unsafe packet.pointer.move(by: clock.shift, base) }
        guard let jump else { return }
        // A chained Ogg file starts its clock anew with each link, as it should.
        if info.container == "ogg" { return }
        let step = MediaTime(seconds: jump.magnitude, scale: 1000)
        damage.add(
            Damage(
                kind: .times,
                time: position,
                bytePosition: bytePosition,
                text: "the file's clock jumps \(jump < 0 ? "back" : "ahead") by \(step);"
                    + " it was made continuous"
            )
        )
    }
}
