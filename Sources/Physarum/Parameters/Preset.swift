/// A look with a name: parameters, colours, and how they move with sound.
public struct Preset: Sendable, Hashable {
    /// What the user calls it.
    public var name: String
    /// Every number; factors are 1.
    public var parameters: Parameters
    /// The colours; a species may have others.
    public var palette: Palette
    /// What is behind the trails; black: nothing.
    public var background: OKLCh
    /// The kinds of agents, at most 4; none: one kind that follows its own trail.
    public var species: [Species]
    /// Where agents are born.
    public var spawn: Spawn
    /// How it moves with sound; nil: the standard wiring.
    public var audioReactive: AudioReactive?

    /// Says all of it.
    public init(
        name: String,
        parameters: Parameters,
        palette: Palette,
        background: OKLCh = .black,
        species: [Species] = [],
        spawn: Spawn = .uniform,
        audioReactive: AudioReactive? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.palette = palette
        self.background = background
        self.species = species
        self.spawn = spawn
        self.audioReactive = audioReactive
    }

    /// Fine glowing veins on deep dark, as of fungi in decaying wood.
    public static let foxfire = Preset(
        name: "Foxfire",
        parameters: Parameters([
            .density: 0.5, .moveSpeed: 2.4, .sensorDistance: 15, .sensorAngle: 40, .turnAngle: 40,
            .deposit: 1, .decay: 0.07, .diffusion: 0.55, .chaosStrength: 0, .crowding: 14,
            .renewal: 0.01,
            .exposure: 1, .contrast: 1, .saturation: 1, .bloomIntensity: 0.4, .bloomRadius: 36,
            .gamma: 1, .vignette: 0.2,
        ]),
        palette: .foxfire,
        // Hits of the bass make the trail itself brighter, drive the agents and sow new ones, so that
        // light runs along the veins while the hit rings out.
        audioReactive: AudioReactive(routes: [
            AudioReactive.Route(.bass, .deposit, depth: 1, mode: .transient),
            AudioReactive.Route(.bass, .moveSpeed, depth: 0.7, mode: .transient),
            AudioReactive.Route(.bass, .renewal, depth: 3, mode: .transient),
            AudioReactive.Route(.bass, .exposure, depth: 0.4, mode: .transient),
            AudioReactive.Route(.high, .renewal, depth: 1, mode: .transient),
            AudioReactive.Route(.mid, .chaosStrength, depth: 0.5, mode: .transient),
            AudioReactive.Route(.mid, .saturation, depth: 0.4, mode: .level),
        ])
    )

    /// The presets that need no file.
    public static let builtIn: [Preset] = [.foxfire]

    /// Finds a built-in preset by its exact name; nil when there is none.
    public static func named(_ name: String) -> Preset? { builtIn.first { $0.name == name } }
}
