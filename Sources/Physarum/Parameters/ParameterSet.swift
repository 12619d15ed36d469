public import Media

/// What a stream of parameters is: how often it has values, and for how many species.
public struct ParameterFormat: StreamFormat {
    /// Values per second.
    public let rate: Rate
    /// How many kinds of agents there are, 1…4.
    public let speciesCount: Int

    /// Says both.
    public init(rate: Rate, speciesCount: Int = 1) {
        precondition(Species.countRange.contains(speciesCount), "There are 1 to 4 species.")
        self.rate = rate
        self.speciesCount = speciesCount
    }

    /// What a preset's parameters are.
    public init(rate: Rate, preset: Preset) {
        self.init(rate: rate, speciesCount: max(1, preset.species.count))
    }

    /// The same in words.
    public var description: String {
        speciesCount == 1
            ? "parameters at \(rate) Hz" : "parameters of \(speciesCount) species at \(rate) Hz"
    }
}

/// The parameters of one moment: what goes from a preset through the modulators to the simulation.
public final class ParameterSet: Payload {
    /// The stream's rate.
    public let format: ParameterFormat
    /// Every number.
    public let parameters: Parameters
    /// The colours; a species may have others.
    public let palette: Palette
    /// What is behind the trails; black: nothing.
    public let background: OKLCh
    /// The kinds of agents: as many as the format says, or none, which stand for kinds that are alike.
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
        background: OKLCh = .black,
        species: [Species] = [],
        spawn: Spawn = .uniform,
        audioReactive: AudioReactive? = nil
    ) {
        precondition(
            species.isEmpty || species.count == format.speciesCount,
            "There are as many species as the format says."
        )
        self.format = format
        self.parameters = parameters
        self.palette = palette
        self.background = background
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
            background: preset.background,
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
            background: background,
            species: species,
            spawn: spawn,
            audioReactive: audioReactive
        )
    }

    /// The colours of each of `count` species, to which those there are adapted.
    func palettes(count: Int) -> [Palette] {
        if species.isEmpty { return Array(repeating: palette, count: count) }
        return Species.adapted(species, to: count).map { $0.palette ?? palette }
    }
}
