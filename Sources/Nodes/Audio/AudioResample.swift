import Codecs
import Graph
import Media

/// Changes the sample rate of audio, its channels, or both.
///
/// The rate is changed by the soxr engine at a precision of 28 bits. Channels are mixed by FFmpeg's
/// matrix for the usual layouts: mono goes to both sides, stereo is averaged to mono. Output is aligned
/// with input: sample n lies at the same time, to the nearest sample, and silence stands in gaps. Audio
/// that has the wanted format already passes as it is. The engine puts this node where two formats
/// differ.
///
/// Latency: the filter's half length, some milliseconds. Deterministic on one kind of CPU, however the
/// audio is cut up.
struct AudioResample: Node, ~Copyable {
    static let kind = "audio.resample"
    static let execution = Execution.serial

    static var conversion: Conversion? {
        Conversion(of: AudioBlock.self) { _, target in
            guard rates.contains(target.sampleRate) else { return nil }
            return [
                "rate": .number("\(target.sampleRate)"), "channels": .number("\(target.channels)"),
            ]
        }
    }

    private static let rates = 1000...768_000

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let rate: Int
    let channels: Int?

    private var resampler: Resampler?
    private var stream: ContinuousAudio?
    /// Where the next sample that comes out lies, in samples of the output; nil before the first came in.
    private var outPosition: Int64?

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", "The same at the wanted rate, with the wanted channels.")
        rate = c.integer(
            "rate",
            default: 48_000,
            in: Self.rates,
            .hertz,
            "Samples a second."
        )
        channels = c.optionalInteger(
            "channels",
            in: 1...64,
            .channels,
            "How many channels; without it the input's."
        )
    }

    private func target(_ source: AudioFormat) -> AudioFormat {
        AudioFormat(
            sampleRate: rate,
            channels: channels ?? source.channels
        )
    }

    func resolve(_ f: inout Formats) {
        guard let source = f[audio], let info = f.info(of: audio) else { return }
        let target = target(source)
        if target == source {
            f.set(
                out,
                target,
                rate: info.rate,
                duration: info.duration,
                delay: info.delay,
                bytesPerPacket: info.bytesPerPacket
            )
        } else {
            let length = info.duration?.converted(to: Int32(target.sampleRate))
            f.set(out, target, duration: length)
        }
    }

    mutating func start(_ f: borrowing Formats) throws {
        stream = ContinuousAudio(audio, out)
        if let source = f[audio], target(source) != source {
            resampler = try Resampler(from: source, to: target(source))
        }
    }

    mutating func run(_ io: inout IO) throws {
        guard resampler != nil else {
            while let packet = io.take(audio) { io.pass(packet, on: out) }
            return
        }
        while let block = stream?.next(&io) {
            if outPosition == nil, let start = stream?.start {
                outPosition = target(block.format).index(of: block.format.time(of: start))
            }
            if let made = try resampler?.process(block) { emit(made, &io) }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        if let rest = try resampler?.finish() { emit(rest, &io) }
    }

    private mutating func emit(_ block: AudioBlock, _ io: inout IO) {
        let place = outPosition ?? 0
        io.emit(block, at: block.format.time(of: place), duration: block.duration, on: out)
        outPosition = place + Int64(block.frameCount)
    }
}
