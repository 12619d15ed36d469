import Codecs
import Graph
import Media

/// Writes audio as a file in the codec that its ending names: .wav, .flac, .opus or .m4a.
///
/// `.wav` holds PCM, `.m4a` AAC. Audio that starts late, or has a gap, gets silence there. Opus and AAC are
/// resampled on the way where they must be. Before a file gets its name it is read back.
///
/// Memory: one frame of the codec, and the index of `.m4a`. Deterministic.
struct WriteAudio: Node, ~Copyable {
    static let kind = "write.audio"
    static let execution = Execution.blocking
    /// Silence made at once.
    private static let piece = 16_384

    let audio: Input<AudioBlock>
    let path: OutputPath
    private let settings: AudioEncoder.Settings
    private let container: Container
    private var encoder: AudioEncoder?
    private var muxer: Muxer?
    private var file: OutputFile?
    private var written: WrittenStream?
    private var position: Int64 = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, changes: .fixed, "Audio of up to 8 channels.")
        path = c.outputPath("path", example: "sound.flac", "The file: .wav, .flac, .opus or .m4a.")
        let bitRate = c.optionalInteger(
            "bitRate",
            in: 6000...1_000_000,
            .bitsPerSecond,
            "Of .opus and .m4a, over all channels; without it 64,000 and 96,000 a channel."
        )
        let depth: AudioEncoder.Depth? = c.optionalChoice(
            "depth",
            "How .wav and .flac store samples: int16 unless told otherwise; .flac has no float32."
        )
        let ending = path.path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let kinds: [String: (AudioEncoder.Codec, Container)] = [
            "wav": (.pcm, .wav), "flac": (.flac, .flac), "opus": (.opus, .ogg), "m4a": (.aac, .mp4),
        ]
        let kind = kinds[ending]
        let (codec, container) = kind ?? (.pcm, .wav)
        self.container = container
        settings = AudioEncoder.Settings(codec: codec, bitRate: bitRate, depth: depth ?? .int16)
        let isLossless = codec == .pcm || codec == .flac
        c.require(
            kind != nil && !path.isStandardOutput,
            "path",
            "must end in .wav, .flac, .opus or .m4a"
        )
        c.require(bitRate == nil || !isLossless, "bitRate", "is for .opus and .m4a alone")
        c.require(depth == nil || isLossless, "depth", "is for .wav and .flac alone")
        c.require(codec != .flac || depth != .float32, "depth", "must be int16 or int24 for .flac")
    }

    func resolve(_ f: inout Formats) throws {
        guard let source = f[audio] else { return }
        f.request(audio, try settings.input(for: source))
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let input = f[audio] else { return }
        let encoder = try AudioEncoder(settings, input: input)
        let format = encoder.format
        self.encoder = consume encoder
        let file = try f.environment.outputs.open(path.path)
        muxer = try Muxer(container, to: .file(file), streams: [format])
        written = WrittenStream(format)
        self.file = file
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(audio) {
            let block = packet.payload
            let start = block.format.index(of: packet.time)
            while position < start {
                let count = Int(min(start - position, Int64(Self.piece)))
                try write(.silence(block.format, frameCount: count))
            }
            try write(block)
        }
    }

    private mutating func write(_ block: AudioBlock) throws {
        try take(encoder?.encode(block, at: block.format.time(of: position)) ?? [])
        position += Int64(block.frameCount)
    }

    private mutating func take(_ units: [EncodedUnit]) throws {
        for unit in units {
            try muxer?.write(unit, stream: 0)
            written?.note(unit)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        try take(encoder?.finish() ?? [])
        guard let written, written.packetCount > 0 else {
            throw FilmError("no audio came in, so that \(path.path) would be empty")
        }
        try muxer.take()?.finish()
        guard let file else { return }
        let found = try FilmCheck(
            path: file.temporaryPath,
            depth: io.environment.verification == .full ? .full : .fast
        )
        try WrittenStream.compare([written], with: found, in: container)
    }
}
