import Codecs
import Graph
import Media

/// Decodes Opus packet by packet, and fills in for those that are missing.
///
/// Up to ten packets in a row that are missing or cannot be decoded are made up from what came before them,
/// fading; longer gaps end in silence, so that what follows stays in its place. A packet without bytes that is
/// no loss (the host was silent) is made up likewise. A microphone's pauses become silence. What cannot be
/// decoded is told, and the run ends with exit code 4.
///
/// No latency. Deterministic.
struct DecodeOpus: Node, ~Copyable {
    static let kind = "decode.opus"
    static let execution = Execution.serial
    /// So many packets in a row are made up; 50 ms of a host's.
    private static let patience = 10
    /// Silence made at once.
    private static let piece = 4800

    let encoded: Input<EncodedPacket>
    let audio: Output<AudioBlock>
    private var decoder: OpusDecoder?
    private var position: Int64?
    private var missing = 0
    private var pending: Packet<EncodedPacket>?
    private var madeUp = 0

    init(_ c: inout Contract) {
        encoded = c.input("audio", .inOrder, "Packets of Opus, each with its length in time.")
        audio = c.output("audio", "Audio at 48 kHz without gaps.")
    }

    func resolve(_ f: inout Formats) throws {
        guard let format = f[encoded] else { return }
        guard format.codec == "opus", case .audio(let audioFormat, _, _) = format.content else {
            throw Problem(.format, "\(format) is not Opus")
        }
        f.set(
            audio,
            AudioFormat(sampleRate: 48_000, channels: audioFormat.channels),
            duration: f.duration(of: encoded)
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        guard let format = f[encoded] else { return }
        decoder = try OpusDecoder(header: format.configuration)
    }

    mutating func run(_ io: inout IO) throws {
        while let packet = pending ?? io.take(encoded) {
            pending = nil
            let start = packet.time.converted(to: 48_000).value
            if let position, start > position {
                // A long pause does not hold the engine up.
                let count = Int(min(start - position, Int64(Self.piece)))
                pending = packet
                if let format = decoder?.format {
                    emit(.silence(format, frameCount: count), at: position, &io)
                }
                io.more()
                return
            }
            if position == nil { position = start }
            decode(packet, &io)
        }
    }

    private mutating func decode(_ packet: Packet<EncodedPacket>, _ io: inout IO) {
        guard let position, let format = decoder?.format else { return }
        let wanted = Int(packet.duration.converted(to: 48_000).value)
        if packet.payload.bytes.count > 0 {
            let decoded = packet.payload.bytes.withSpan { decoder?.decode($0) }
            if let decoded, decoded.frameCount == wanted {
                missing = 0
                return emit(decoded, at: position, &io)
            }
            let what =
                decoded.map { "holds \($0.frameCount) samples, and should \(wanted)" }
                ?? "cannot be decoded"
            io.environment.damaged("a packet \(what)", at: packet.time)
        }
        missing += 1
        let isConcealable = wanted % 120 == 0 && (120...OpusDecoder.longest).contains(wanted)
        guard missing <= Self.patience, isConcealable, let made = decoder?.conceal(wanted) else {
            return emit(.silence(format, frameCount: max(0, wanted)), at: position, &io)
        }
        madeUp += 1
        // What follows may be silence.
        emit(missing == Self.patience ? made.fadingOut : made, at: position, &io)
    }

    private mutating func emit(_ block: AudioBlock, at position: Int64, _ io: inout IO) {
        self.position = position + Int64(block.frameCount)
        if block.frameCount == 0 { return }
        io.emit(block, at: MediaTime(position, 48_000), duration: block.duration, on: audio)
    }

    mutating func finish(_ io: inout IO) {
        if madeUp > 0 {
            io.environment.warn("\(madeUp) packets were made up from those before them")
        }
    }
}

extension AudioBlock {
    /// The same, falling evenly to silence.
    fileprivate var fadingOut: AudioBlock {
        changed { samples in
            for channel in 0..<format.channels {
                for index in 0..<frameCount {
                    samples[channel * frameCount + index] *=
                        1 - Float(index + 1) / Float(frameCount)
                }
            }
        }
    }
}
