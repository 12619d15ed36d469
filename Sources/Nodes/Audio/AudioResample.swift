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
    /// Samples of silence made at once.
    private static let piece = 4096

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
    /// Where the next sample belongs, in samples of the input.
    private var position: Int64 = 0
    /// Where the next sample that comes out lies, in samples of the output.
    private var outPosition: Int64 = 0
    /// A packet that waits for the silence before it.
    private var pending: Packet<AudioBlock>?
    private var hasBegun = false

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
        if let source = f[audio], target(source) != source {
            resampler = try Resampler(from: source, to: target(source))
        }
    }

    mutating func run(_ io: inout IO) throws {
        while true {
            if pending == nil {
                guard let packet = io.take(audio) else { return }
                pending = packet
            }
            guard let packet = pending else { return }
            let block = packet.payload
            guard resampler != nil else {
                io.emit(block, like: packet, on: out)
                pending = nil
                continue
            }
            let start = block.format.index(of: packet.time)
            if !hasBegun {
                hasBegun = true
                position = start
                outPosition = target(block.format).index(of: packet.time)
            }
            if start > position {
                // Piece by piece, so that a long gap takes no memory and the engine is not held up.
                try process(silence(upTo: start, block.format), &io)
                io.more()
                return
            }
            pending = nil
            // What lies before the position has been heard.
            let heard = Int(min(position - start, Int64(block.frameCount)))
            if heard < block.frameCount { try process(block.part(heard..<block.frameCount), &io) }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        if let rest = try resampler?.finish() { emit(rest, &io) }
    }

    private func silence(upTo end: Int64, _ format: AudioFormat) -> AudioBlock {
        let count = Int(min(end - position, Int64(Self.piece)))
        return AudioBlock(
            format: format,
            samples: Writable(repeating: 0, count: count * format.channels)
        )
    }

    private mutating func process(_ block: AudioBlock, _ io: inout IO) throws {
        position += Int64(block.frameCount)
        if let made = try resampler?.process(block) { emit(made, &io) }
    }

    private mutating func emit(_ block: AudioBlock, _ io: inout IO) {
        io.emit(
            block,
            at: block.format.time(of: outPosition),
            duration: block.duration,
            on: out
        )
        outPosition += Int64(block.frameCount)
    }
}
