import Graph
import Media
import Physarum

/// Moves the simulation's parameters with the bands of a sound.
///
/// Every target's factor is 1 + Σ signal · depth · gain over the routes that lead to it; the factors
/// are multiplied onto what the parameters carry already. A route follows its band's level or its
/// transient, both 0…1. With `routes` given here the preset's wiring is not looked at; else it is
/// followed, or the standard wiring where the preset has none.
///
/// Auto gain turns quiet tracks up. It follows the peak p of all bands' levels, which falls by a
/// factor of e in 10 s; level routes are multiplied with 0.8 / max(p, 0.2). Below a level of 0.02 p
/// stays as it is. Transients are normalised already.
///
/// The two inputs must have one rate; the output ends with the shorter. No latency. Deterministic.
struct ModulateAudio: Node {
    static let kind = "modulate.audio"
    static let execution = Execution.serial
    let parameters: Input<ParameterSet>
    let bands: Input<AudioBands>
    let out: Output<ParameterSet>
    let wiring: Wiring
    private var autoGain = AutoGain()

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .together, changes: .accepts, "What is modulated.")
        bands = c.input("bands", .together, changes: .accepts, "The sound's bands.")
        out = c.output("parameters", like: parameters, "The same with factors multiplied on.")
        wiring = Wiring(&c)
    }

    mutating func run(_ io: inout IO) {
        while let set = io.take(parameters), let reading = io.take(bands) {
            let rate = reading.payload.format.rate
            autoGain.follow(reading.payload.level.maximum, seconds: 1 / rate.perSecond)
            let settings = wiring.settings(preset: set.payload.audioReactive)
            let factors = settings.factors(reading.payload, autoGain: autoGain.gain)
            var modulated = set.payload.parameters
            for (target, factor) in factors { modulated.multiply(target, by: factor) }
            // The end of the sound is the end of the film. A packet's time and duration come from
            // one of the two, so that they have one scale.
            let isCut = reading.duration < set.duration
            io.emit(
                set.payload.with(modulated),
                at: isCut ? reading.time : set.time,
                duration: isCut ? reading.duration : set.duration,
                flags: set.flags,
                on: out
            )
        }
    }

    func resolve(_ f: inout Formats) {
        guard let info = f.info(of: parameters), let format = f[parameters] else { return }
        let lengths = [info.duration, f.duration(of: bands)].compactMap { $0 }
        f.set(
            out,
            format,
            rate: info.rate,
            duration: lengths.min(),
            delay: f.info(of: bands)?.delay,
            bytesPerPacket: info.bytesPerPacket
        )
    }
}

/// What the node's parameters say of the wiring; what they do not say the preset does.
struct Wiring {
    let isEnabled: Bool?
    let gain: Double?
    let hasAutoGain: Bool?
    let routes: [AudioReactive.Route]?

    init(_ c: inout Contract) {
        isEnabled = c.optionalBoolean(
            "enabled",
            "Whether anything moves; default true with `routes`, else as the preset says."
        )
        gain = c.optionalNumber(
            "gain",
            in: AudioReactive.gainRange,
            .none,
            "Multiplies every depth; default 1 with `routes`, else the preset's."
        )
        hasAutoGain = c.optionalBoolean(
            "autoGain",
            "Whether quiet tracks are turned up; default true with `routes`, else as the preset says."
        )
        routes = c.optionalList(
            "routes",
            "Wires from bands to parameters, in place of the preset's."
        ) {
            element in
            AudioReactive.Route(
                element.choice("source", "The band."),
                (element.choice("target", "The parameter that moves.") as ParameterChoice)
                    .parameter,
                depth: element.number(
                    "depth",
                    in: AudioReactive.depthRange,
                    .none,
                    "How far: the factor is 1 + depth at a full signal."
                ),
                mode: element.choice(
                    "mode",
                    default: AudioReactive.Mode.level,
                    "What of the band is followed."
                )
            )
        }
    }

    /// The wiring in force for parameters whose preset has this one.
    func settings(preset: AudioReactive?) -> AudioReactive {
        var settings = routes.map { AudioReactive(routes: $0) } ?? preset ?? .standard
        if let isEnabled { settings.isEnabled = isEnabled }
        if let gain { settings.gain = gain }
        if let hasAutoGain { settings.hasAutoGain = hasAutoGain }
        return settings
    }
}

/// Follows how loud a track is, to bring quiet ones up.
struct AutoGain {
    private var peak = 0.0

    /// What signals are multiplied with; 4 in silence.
    var gain: Double { 0.8 / max(peak, 0.2) }

    /// Takes the largest level of a stretch of `seconds`.
    mutating func follow(_ level: Double, seconds: Double) {
        if level < 0.02 { return }
        peak = max(level, peak * PortableMath.exp(-seconds / 10))
    }
}

extension AudioReactive {
    /// The factor of every parameter that a route leads to, in the order of the routes.
    func factors(_ reading: AudioBands, autoGain: Double) -> [(target: Parameter, factor: Double)] {
        if !isEnabled { return [] }
        var factors: [(target: Parameter, factor: Double)] = []
        for route in routes {
            let gain = gain * (hasAutoGain && route.mode == .level ? autoGain : 1)
            let signal = route.mode == .level ? reading.level : reading.transient
            let share = signal[route.source] * route.depth * gain
            if let index = factors.firstIndex(where: { $0.target == route.target }) {
                factors[index].factor += share
            } else {
                factors.append((route.target, 1 + share))
            }
        }
        return factors
    }
}
