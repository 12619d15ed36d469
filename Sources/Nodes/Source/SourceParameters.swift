import Graph
import Media
import Physarum
import Presets

/// Makes the parameters of a preset, at a constant rate: the head of every chain of parameters.
///
/// Packet k is at exactly k / `rate` and lasts to the next one; with a `duration` the last one ends
/// there. All packets share one set, so that they cost no memory. Modulators change it on the way to
/// the simulation.
///
/// A `preset` that holds a `/` or ends in `.json` is the path of a preset file. `slot-07`, or 7, is what
/// that slot of the user's own store holds (`foxfire presets list`). Anything else is a name: of a
/// built-in preset, else of a factory preset, else of a preset in a slot, the lowest of that name. What
/// the preset says, not how it is named, is part of the graph's hash and is stored in what the graph
/// writes, as `presetFile`: the text of a preset file.
struct SourceParameters: Node {
    static let kind = "source.parameters"
    static let execution = Execution.serial
    /// Packets in one run.
    private static let burst = 32

    let out: Output<ParameterSet>
    let preset: Preset
    let rate: Rate
    let end: MediaTime?
    private let set: ParameterSet
    private var index: Int64 = 0

    init(_ c: inout Contract) {
        out = c.output("parameters", "The preset's parameters, unmodulated.")
        preset = Self.preset(&c)
        rate = c.rate(
            "rate",
            default: Rate(240),
            in: Rate(1)...Rate(1000),
            .hertz,
            "Packets a second; as many as the signals that will modulate them."
        )
        let duration = c.optionalTime("duration", "How long; without it there is no end.")
        if case .samples = duration {
            c.require(false, "duration", "must be in seconds: parameters have no samples")
        }
        end = duration?.resolved(sampleRate: 1)
        set = ParameterSet(format: ParameterFormat(rate: rate, preset: preset), preset: preset)
    }

    /// The preset that the graph names; what is wrong with it is told.
    private static func preset(_ c: inout Contract) -> Preset {
        let name = c.preset(
            "preset",
            default: Preset.foxfire.name,
            "A preset's name, a slot, or a file."
        )
        let found = PresetLookup().find(name)
        c.report(found.problems, warnings: found.warnings, of: "preset")
        guard let preset = found.preset?.preset else { return .foxfire }
        c.depend(on: "preset", content: PresetFile(preset).fileJSON)
        return preset
    }

    func resolve(_ f: inout Formats) {
        f.set(out, set.format, rate: rate, duration: end, bytesPerPacket: set.byteCount)
    }

    mutating func run(_ io: inout IO) {
        for _ in 0..<Self.burst {
            if let end, rate.time(of: index) >= end {
                io.end()
                return
            }
            let (time, duration) = rate.span(of: index, endingAt: end)
            io.emit(set, at: time, duration: duration, on: out)
            index += 1
        }
        io.more()
    }
}
