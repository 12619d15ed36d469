import Codecs
import Graph
import Media

/// Encodes audio as AAC, Opus, FLAC or PCM.
///
/// Blocks of any size give the same packets. Opus takes 48 kHz and AAC the rates it knows; other audio
/// is resampled on the way. A codec's priming lies before the first sample, and containers tell
/// players to skip it.
///
/// Latency: one frame of the codec, at most 4096 samples. Deterministic.
struct EncodeAudio: Node, ~Copyable {
    static let kind = "encode.audio"
    static let execution = Execution.serial

    let audio: Input<AudioBlock>
    let out: Output<EncodedPacket>
    let settings: AudioEncoder.Settings
    private var encoder: AudioEncoder?
    private var rest: [EncodedUnit]?

    init(_ c: inout Contract) {
        audio = c.input(
            "audio",
            .inOrder,
            changes: .fixed,
            "Audio without gaps, of up to 8 channels."
        )
        out = c.output("audio", "A packet for each frame of the codec.")
        let codec = c.choice(
            "codec",
            default: AudioEncoder.Codec.aac,
            "aac and opus lose a little, flac and pcm nothing."
        )
        let bitRate = c.optionalInteger(
            "bitRate",
            in: 6000...1_000_000,
            .bitsPerSecond,
            "Over all channels; without it 96,000 a channel for aac and 64,000 for opus."
        )
        let depth: AudioEncoder.Depth? = c.optionalChoice(
            "depth",
            "How flac and pcm store samples: int16 unless told otherwise; flac has no float32."
        )
        let isLossless = codec == .flac || codec == .pcm
        c.require(bitRate == nil || !isLossless, "bitRate", "is for aac and opus alone")
        c.require(depth == nil || isLossless, "depth", "is for flac and pcm alone")
        c.require(codec != .flac || depth != .float32, "depth", "must be int16 or int24 for flac")
        settings = AudioEncoder.Settings(codec: codec, bitRate: bitRate, depth: depth ?? .int16)
    }

    func resolve(_ f: inout Formats) throws {
        guard let source = f[audio] else { return }
        let input = try settings.input(for: source)
        f.request(audio, input)
        // What a container writes first is known only to an encoder that was opened.
        let format = try AudioEncoder(settings, input: input).format
        f.set(out, format, duration: f.duration(of: audio))
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let input = f[audio] else { return }
        encoder = try AudioEncoder(settings, input: input)
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = io.take(audio) {
            for unit in try encoder?.encode(packet.payload, at: packet.time) ?? [] {
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

extension AudioEncoder.Settings {
    /// What the encoder takes of audio like `source`.
    ///
    /// - Throws: `Problem` for more channels than codecs take.
    func input(for source: AudioFormat) throws -> AudioFormat {
        if source.channels > 8 {
            throw Problem(
                .format,
                "\(source.channels) channels are more than the 8 that codecs take here",
                hint: "take fewer channels, or write.wav"
            )
        }
        let takes =
            switch codec {
            case .opus: source.sampleRate == 48_000
            case .aac: Self.aacRates.contains(source.sampleRate)
            case .flac, .pcm: true
            }
        return takes ? source : AudioFormat(sampleRate: 48_000, channels: source.channels)
    }

    /// ISO/IEC 14496-3, table 1.18.
    private static let aacRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025,
        8000, 7350,
    ]
}
