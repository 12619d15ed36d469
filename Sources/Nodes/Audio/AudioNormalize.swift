import Codecs
import Graph
import Media

/// Brings audio to a level: its highest sample, or its loudness.
///
/// `peak` makes the highest sample of all channels `to` dB of full scale; `loudness` makes the integrated
/// loudness `to` LUFS (EBU R 128), whatever its peaks then are (audio.limit). Silence, and what is too short
/// for a loudness, stays as it is.
///
/// Latency: all of the audio, of which 64 MB are kept in memory and the rest in a file without a name.
/// Deterministic on one kind of CPU.
struct AudioNormalize: Node {
    static let kind = "audio.normalize"
    static let execution = Execution.serial

    enum Measure: String, CaseIterable { case peak, loudness }

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let measure: Measure
    let target: Double?
    private var stream: ContinuousAudio?
    private var held = HeldAudio()
    private var peak: Float = 0
    private var meter: LoudnessMeter?
    private var gain: Float?
    private var next = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", "The same, louder or softer.")
        measure = c.choice("measure", default: Measure.peak, "What is brought to the level.")
        target = c.optionalNumber(
            "to",
            in: -100...0,
            .decibels,
            "The level: dB of full scale, or LUFS; without it -1 dB, or -16 LUFS."
        )
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[audio] else { return }
        f.set(
            out,
            format,
            duration: f.duration(of: audio),
            delay: f.duration(of: audio),
            bytesPerPacket: f.info(of: audio)?.bytesPerPacket
        )
    }

    mutating func start(_ f: borrowing Formats) throws {
        stream = ContinuousAudio(audio, out)
        (held, peak, gain, next) = (HeldAudio(), 0, nil, 0)
        meter = nil
        if measure == .loudness, let format = f[audio] { meter = try LoudnessMeter(format: format) }
    }

    mutating func run(_ io: inout IO) throws {
        while let block = stream?.next(&io) {
            peak = max(peak, block.peak)
            try meter?.measure(block)
            try held.append(block)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        guard next < held.count else { return }
        if gain == nil { gain = foundGain(io.environment) }
        let block = try held.block(next).scaled(by: gain ?? 1)
        next += 1
        stream?.emit(block, &io)
        io.more()
    }

    private func foundGain(_ environment: NodeEnvironment) -> Float {
        guard peak.isNormal else { return 1 }
        switch measure {
        case .peak:
            let wanted = PortableMath.ratio(ofDecibels: target ?? -1)
            return Float(wanted / Double(peak))
        case .loudness:
            guard let loudness = meter?.loudness else {
                environment.warn(
                    "it is too short or too soft to have a loudness, and stays as it is"
                )
                return 1
            }
            return Float(PortableMath.ratio(ofDecibels: (target ?? -16) - loudness))
        }
    }
}
