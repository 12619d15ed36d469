import Graph
import Media
import Physarum
import Presets

/// Walks through presets, one after another, and fades from each to the next.
///
/// Every preset stands for `each`, or with `beats` connected for `beatsEach` beats; then the next one
/// comes, within `crossfade`, and after the last the first again. Numbers move evenly in 3x² − 2x³,
/// palettes evenly to the eye, and both wirings count while they change. Without `presets` the rotation
/// of the user's own store is walked through (`foxfire presets rotation`). What is modulated already
/// stays on top; base values, colours, species and wiring are the rotation's, so this comes first in a
/// chain, right after `source.parameters`, which gives the rate.
///
/// Of presets with fewer species than another, species are divided into equal ones, which live as one.
/// Density, shares and where agents are born are read once by the simulation: they are the first
/// preset's. What the presets say is part of the graph's hash.
///
/// Before the first beat the first preset stands; after the last one the tempo goes on. No latency.
/// Deterministic.
struct ModulateRotation: Node {
    static let kind = "modulate.rotation"
    static let execution = Execution.serial

    let parameters: Input<ParameterSet>
    let beats: Input<Beat>?
    let out: Output<ParameterSet>
    let rotation: Rotation

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .inOrder, changes: .accepts, "What is modulated.")
        beats = c.optionalInput(
            "beats",
            .hold,
            changes: .accepts,
            "The beats that presets stand for."
        )
        out = c.output("parameters", "Those of the presets, one after another.")
        let presets = Self.presets(&c)
        func seconds(_ name: String, _ time: TimeValue?, or fallback: Double) -> Double {
            if case .samples = time {
                c.require(false, name, "must be in seconds: parameters have no samples")
            }
            return time?.resolved(sampleRate: 1).seconds ?? fallback
        }
        let eachTime = c.optionalTime(
            "each",
            "How long a preset stands, where no beats are connected; default 20 s."
        )
        let each = seconds("each", eachTime, or: 20)
        let beatsEach = c.optionalInteger(
            "beatsEach",
            in: 1...4096,
            .none,
            "For how many beats a preset stands, where beats are connected; default 32."
        )
        let crossfade = seconds(
            "crossfade",
            c.time("crossfade", default: .time(MediaTime(3, 1)), "How long the change takes."),
            or: 3
        )
        c.require(
            beats == nil || eachTime == nil,
            "each",
            "is a time, and beats are connected: give \"beatsEach\" in its place"
        )
        c.require(
            beats != nil || beatsEach == nil,
            "beatsEach",
            "counts beats, and none are connected: connect \"beats\", or give \"each\""
        )
        c.require(each > 0, "each", "must be longer than 0")
        c.require(
            beats != nil || crossfade <= each,
            "crossfade",
            "must not be longer than a preset stands"
        )
        rotation = Rotation(
            presets: presets,
            each: each,
            beatsEach: beatsEach ?? 32,
            crossfade: crossfade
        )
    }

    /// The presets that the graph names, or those of the store's rotation.
    private static func presets(_ c: inout Contract) -> [Preset] {
        let lookup = PresetLookup()
        let listed = c.optionalList(
            "presets",
            "The presets in their order; without it the rotation of the user's own store."
        ) { element in
            let name = element.preset("preset", "A preset's name, a slot, or a file.")
            let found = lookup.find(name)
            element.report(found.problems, warnings: found.warnings, of: "preset")
            guard let preset = found.preset?.preset else { return Preset.foxfire }
            element.depend(on: "preset", content: PresetFile(preset).fileJSON)
            return preset
        }
        if let listed {
            c.require((1...1000).contains(listed.count), "presets", "must hold 1 to 1000 presets")
            return listed.isEmpty ? [.foxfire] : listed
        }
        guard c.isBound else { return [.foxfire] }
        let found = lookup.rotation()
        c.report(found.problems, warnings: [], of: "presets")
        if found.presets.isEmpty { return [.foxfire] }
        let content = found.presets.map { JSON.Value.members([("preset", $0.fileJSON)]) }
        c.depend(on: "presets", content: .list(content))
        return found.presets.map(\.preset)
    }

    func resolve(_ f: inout Formats) {
        guard let info = f.info(of: parameters), let format = f[parameters] else { return }
        f.set(
            out,
            ParameterFormat(rate: format.rate, speciesCount: rotation.speciesCount),
            rate: info.rate,
            duration: info.duration,
            delay: info.delay,
            bytesPerPacket: info.bytesPerPacket
        )
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(parameters) {
            var place = rotation.place(seconds: packet.time.seconds)
            if let beats {
                place = rotation.first
                if let beat = io.take(beats) {
                    let position = beat.payload.position(
                        at: packet.time,
                        since: beat.time,
                        beat.duration
                    )
                    place = rotation.place(beats: position, tempo: beat.payload.tempo)
                }
            }
            io.emit(rotation.set(at: place, over: packet.payload), like: packet, on: out)
        }
    }
}

/// Which preset stands when.
struct Rotation {
    let presets: [Preset]
    /// Seconds, and beats, for which each stands.
    let each: Double
    let beatsEach: Int
    /// Seconds in which one becomes the next.
    let crossfade: Double

    /// A moment of the walk.
    struct Place: Hashable {
        /// How many presets have stood before.
        let turn: Int
        /// How much of the one at `turn` is there; the rest is of the one before.
        let part: Double
    }

    var first: Place { Place(turn: 0, part: 1) }

    var speciesCount: Int { presets.map { max(1, $0.species.count) }.max() ?? 1 }

    func place(seconds: Double) -> Place {
        let turn = (seconds / each).rounded(.down)
        return place(turn: Int(turn), age: seconds - turn * each)
    }

    func place(beats: Double, tempo: Double) -> Place {
        let turn = (beats / Double(beatsEach)).rounded(.down)
        return place(turn: Int(turn), age: (beats - turn * Double(beatsEach)) * 60 / tempo)
    }

    private func place(turn: Int, age: Double) -> Place {
        if turn <= 0 { return first }
        let x = crossfade > 0 ? min(max(age / crossfade, 0), 1) : 1
        return Place(turn: turn, part: x * x * (3 - 2 * x))
    }

    /// The parameters at a place, with the factors of those that came.
    func set(at place: Place, over set: ParameterSet) -> ParameterSet {
        let present = presets[place.turn % presets.count]
        let preset =
            place.part == 1
            ? present
            : presets[(place.turn + presets.count - 1) % presets.count]
                .mixed(with: present, part: place.part)
        var parameters = set.parameters
        for parameter in Parameter.allCases {
            parameters[base: parameter] = preset.parameters[base: parameter]
        }
        return ParameterSet(
            format: ParameterFormat(rate: set.format.rate, speciesCount: speciesCount),
            parameters: parameters,
            palette: preset.palette,
            background: preset.background,
            species: speciesCount == 1 && preset.species.isEmpty
                ? [] : Species.adapted(preset.species, to: speciesCount),
            spawn: preset.spawn,
            audioReactive: preset.audioReactive
        )
    }
}
