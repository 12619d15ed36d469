public import Media

/// What a stream of parameters is: how often it has values.
public struct ParameterFormat: StreamFormat {
    /// Values per second.
    public let rate: Rate

    /// Says the rate.
    public init(rate: Rate) { self.rate = rate }

    /// The rate in words.
    public var description: String { "parameters at \(rate) Hz" }
}

/// The parameters of one moment: what goes from a preset through the modulators to the simulation.
public final class ParameterSet: Payload {
    /// The stream's rate.
    public let format: ParameterFormat
    /// Every number.
    public let parameters: Parameters
    /// The colours; a species may have others.
    public let palette: Palette
    /// The kinds of agents; none: one kind that follows its own trail.
    public let species: [Species]
    /// Where agents are born.
    public let spawn: Spawn
    /// How the preset wants to move with sound; nil: it does not say.
    public let audioReactive: AudioReactive?

    /// About what the numbers and the palette take.
    public var byteCount: Int {
        MemoryLayout<Double>.stride * 2 * ParameterTable.rows.count + 256 * (1 + species.count)
    }

    /// Says all of it.
    public init(
        format: ParameterFormat,
        parameters: Parameters,
        palette: Palette,
        species: [Species] = [],
        spawn: Spawn = .uniform,
        audioReactive: AudioReactive? = nil
    ) {
        precondition(species.count <= Species.countRange.upperBound, "There are at most 4 species.")
        self.format = format
        self.parameters = parameters
        self.palette = palette
        self.species = species
        self.spawn = spawn
        self.audioReactive = audioReactive
    }

    /// Makes the set that heads a chain: what `preset` says, unmodulated.
    public convenience init(format: ParameterFormat, preset: Preset) {
        self.init(
            format: format,
            parameters: preset.parameters,
            palette: preset.palette,
            species: preset.species,
            spawn: preset.spawn,
            audioReactive: preset.audioReactive
        )
    }

    /// The same set with other numbers: what a modulator emits.
    public func with(_ parameters: Parameters) -> ParameterSet {
        ParameterSet(
            format: format,
            parameters: parameters,
            palette: palette,
            species: species,
            spawn: spawn,
            audioReactive: audioReactive
        )
    }

    /// How many kinds of agents there are, 1…4.
    public var speciesCount: Int { max(1, species.count) }
}
