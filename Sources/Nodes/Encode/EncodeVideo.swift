import Codecs
import Graph
import Media

/// Encodes pictures as H.264 (x264) or HEVC (x265) at a constant quality.
///
/// Takes 4:2:0 in limited range; other layouts are converted on the way, with the BT.709 matrix where
/// they are RGB. Sides must be even. Pictures without a constant rate keep their times. The library's threads are a setting
/// of their own, apart from the engine's workers: for another number of them both libraries write
/// other bytes of the same quality.
///
/// With a `segment` the encoder is closed and opened anew at every multiple of that time, so that
/// nothing in one segment follows from another: a film's segments have the same bytes when they are
/// made apart, as a batch with `split` does. It costs a key frame a segment, and what an encoder learns at its start.
///
/// Latency: the library's lookahead, up to about 60 pictures, which it holds. Deterministic for equal
/// settings.
struct EncodeVideo: Node, ~Copyable {
    static let kind = "encode.video"
    static let execution = Execution.blocking

    /// How hard the encoder tries where no preset is named.
    enum Quality: String, CaseIterable {
        case standard, best
    }

    /// The presets of both libraries, the fastest first.
    enum Preset: String, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
    }

    let video: Input<VideoFrame>
    let out: Output<EncodedPacket>
    let settings: VideoEncoder.Settings
    let layout: PixelLayout
    let segment: MediaTime?
    private var encoder: VideoEncoder?
    private var rest: [EncodedUnit]?
    /// The segment that the encoder is in; nil before the first picture.
    private var segmentNumber: Int64?

    init(_ c: inout Contract) {
        video = c.input(
            "video",
            .inOrder,
            changes: .fixed,
            "Pictures of even sides."
        )
        out = c.output("video", "An access unit for each picture.")
        let codec = c.choice("codec", default: VideoEncoder.Codec.h264, "h264 or hevc.")
        let crf = c.number(
            "crf",
            default: 16,
            in: 0...51,
            .none,
            "Constant rate factor: less is better and larger; 16 shows no loss to the eye."
        )
        let quality = c.choice(
            "quality",
            default: Quality.standard,
            "\"standard\" is preset veryfast, \"best\" is medium: smaller files, three times the work."
        )
        let preset: Preset? = c.optionalChoice(
            "preset",
            "How hard the library tries, whatever \"quality\" says."
        )
        let depth = c.integer("bitDepth", default: 8, in: 8...10, .bits, "8 or 10.")
        c.require(depth == 8 || depth == 10, "bitDepth", "must be 8 or 10")
        let threads = c.integer(
            "threads",
            default: 4,
            in: 1...64,
            .threads,
            "The library's own threads; another number writes other bytes."
        )
        let interval = c.number(
            "keyInterval",
            default: 4,
            in: 0.1...60,
            .seconds,
            "How far key frames lie apart at most."
        )
        let segment = c.optionalTime(
            "segment",
            "The encoder begins anew at every multiple of this time: 1 s or more, at a constant frame rate."
        )
        self.segment = segment?.resolved(sampleRate: 1)
        if case .samples = segment {
            c.require(false, "segment", "must be in seconds: pictures have no samples")
        } else if let segment = self.segment {
            c.require(segment >= MediaTime(1, 1), "segment", "must be 1 s or more")
        }
        settings = VideoEncoder.Settings(
            codec: codec,
            crf: crf,
            preset: (preset ?? (quality == .best ? .medium : .veryfast)).rawValue,
            threads: threads,
            keyInterval: interval
        )
        layout = depth == 10 ? .yuv420p10 : .yuv420p
    }

    /// What the encoder takes of pictures like `source`.
    private func input(for source: VideoFormat) -> VideoFormat {
        var color = source.color
        if color.matrix == .rgb { color.matrix = .bt709 }
        color.range = .limited
        return VideoFormat(
            width: source.width,
            height: source.height,
            layout: layout,
            color: color
        )
    }

    func resolve(_ f: inout Formats) throws {
        guard let source = f[video] else { return }
        if source.width % 2 != 0 || source.height % 2 != 0 {
            throw Problem(
                .format,
                "pictures of \(source.width)x\(source.height) have an odd side, which 4:2:0 video cannot",
                hint: "scale them to even sides before, as with video.scale"
            )
        }
        let rate = f.rate(of: video)
        if segment != nil, rate == nil {
            throw Problem(
                .format,
                "\"segment\" needs pictures at a constant rate, and these have none",
                pointer: "/segment",
                hint: "give them one with video.rate before"
            )
        }
        let input = input(for: source)
        f.request(video, input)
        // What a container writes first is known only to an encoder that was opened.
        let format = try VideoEncoder(settings, input: input, frameRate: rate).format
        f.set(out, format, rate: rate, duration: f.duration(of: video))
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let input = f[video] else { return }
        encoder = try VideoEncoder(settings, input: input, frameRate: f.rate(of: video))
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(video) {
            try beginSegment(at: packet.time, &io)
            for unit in try encoder?.encode(
                packet.payload,
                at: packet.time,
                for: packet.duration
            ) ?? [] {
                io.emit(unit, on: out)
            }
        }
    }

    /// Ends the segment before, if the picture at `time` is of the next one.
    private mutating func beginSegment(at time: MediaTime, _ io: inout IO) throws {
        guard let segment, let input = encoder?.input, let rate = encoder?.frameRate else { return }
        let number = rate.time(of: rate.index(nearest: time)).segment(of: segment)
        defer { segmentNumber = number }
        guard let segmentNumber, number != segmentNumber else { return }
        for unit in try encoder?.finish() ?? [] { io.emit(unit, on: out) }
        encoder = try VideoEncoder(settings, input: input, frameRate: rate)
    }

    mutating func finish(_ io: inout IO) throws {
        if rest == nil { rest = try encoder?.finish().reversed() }
        guard let unit = rest?.popLast() else { return }
        io.emit(unit, on: out)
        io.more()
    }
}

extension MediaTime {
    /// The number of the span of `length` that this time lies in.
    fileprivate func segment(of length: MediaTime) -> Int64 {
        let (count, unit) = (Int128(value) * Int128(length.scale), Int128(length.value))
        return Int64(count / (unit * Int128(scale)))
    }
}

extension IO {
    /// Emits what an encoder made at its decoding time.
    mutating func emit(_ unit: EncodedUnit, on output: Output<EncodedPacket>) {
        emit(
            unit.packet,
            at: unit.decodingTime,
            duration: unit.duration,
            flags: unit.isKey ? .key : [],
            on: output
        )
    }
}
