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
    private var encoder: VideoEncoder?
    private var rest: [EncodedUnit]?

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
            for unit in try encoder?.encode(
                packet.payload,
                at: packet.time,
                for: packet.duration
            ) ?? [] {
                io.emit(unit, on: out)
            }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        if rest == nil { rest = try encoder?.finish().reversed() }
        guard let unit = rest?.popLast() else { return }
        io.emit(unit, on: out)
        io.more()
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
