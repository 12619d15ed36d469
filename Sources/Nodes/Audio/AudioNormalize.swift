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
    private var whole: WholeAudio?
    private var meter: LoudnessMeter?

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

    func resolve(_ f: inout Formats) { f.set(out, asWholeOf: audio) }

    mutating func start(_ f: borrowing Formats) throws {
        whole = WholeAudio(audio, out)
        meter = nil
        if measure == .loudness, let format = f[audio] { meter = try LoudnessMeter(format: format) }
    }

    mutating func run(_ io: inout IO) throws {
        while let block = try whole?.take(&io) { try meter?.measure(block) }
    }

    mutating func finish(_ io: inout IO) throws {
        guard var whole else { return }
        let environment = io.environment
        try whole.emitNext(&io) { foundGain(environment) }
        self.whole = whole
    }

    private func foundGain(_ environment: NodeEnvironment) -> Float {
        let peak = whole?.peak ?? 0
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
