/// The colours of a trail from none to the strongest, mixed evenly to the eye (in OKLab).
public struct Palette: Sendable, Hashable {
    /// A colour at a place of the palette.
    public struct Stop: Sendable, Hashable {
        /// Where it stands: 0 is no trail, 1 the strongest.
        public var position: Double
        /// The colour there.
        public var color: OKLCh

        /// Says both.
        public init(_ position: Double, _ color: OKLCh) {
            self.position = position
            self.color = color
        }
    }

    /// What presets call it.
    public let name: String
    /// The colours, by rising position; at least one.
    public let stops: [Stop]

    /// What it is on its way to, for a palette between two.
    struct Blend: Sendable, Hashable {
        let stops: [Stop]
        let part: Double
    }

    private let blend: Blend?

    /// Makes a palette; positions must rise.
    public init(name: String, stops: [Stop]) { self.init(name: name, stops: stops, blend: nil) }

    init(name: String, stops: [Stop], blend: Blend?) {
        precondition(!stops.isEmpty, "A palette needs a colour.")
        precondition(
            zip(stops, stops.dropFirst()).allSatisfy { $0.position < $1.position },
            "A palette's positions rise."
        )
        self.name = name
        self.stops = stops
        self.blend = blend
    }

    /// The colour at `position` in OKLab; beyond the ends, the end's colour.
    func lab(at position: Double) -> SIMD3<Double> {
        let own = Self.lab(at: position, stops)
        guard let blend else { return own }
        return own * (1 - blend.part) + Self.lab(at: position, blend.stops) * blend.part
    }

    private static func lab(at position: Double, _ stops: [Stop]) -> SIMD3<Double> {
        guard let upper = stops.firstIndex(where: { $0.position > position }) else {
            return stops[stops.count - 1].color.lab
        }
        if upper == 0 { return stops[0].color.lab }
        let (low, high) = (stops[upper - 1], stops[upper])
        let part = (position - low.position) / (high.position - low.position)
        return low.color.lab * (1 - part) + high.color.lab * part
    }

    /// Finds a built-in palette by its exact name; nil when there is none.
    public static func named(_ name: String) -> Palette? { builtIn.first { $0.name == name } }

    /// The palettes that need no file.
    public static let builtIn: [Palette] = [.foxfire, .ember, .moonlight]

    /// Deep forest night, teal, the green of glowing fungi, gold.
    public static let foxfire = Palette(
        name: "foxfire",
        stops: [
            Stop(0, OKLCh(0.1, 0.02, 230)),
            Stop(0.2, OKLCh(0.26, 0.055, 205)),
            Stop(0.42, OKLCh(0.5, 0.1, 182)),
            Stop(0.62, OKLCh(0.7, 0.16, 155)),
            Stop(0.8, OKLCh(0.84, 0.18, 125)),
            Stop(0.93, OKLCh(0.89, 0.155, 95)),
            Stop(1, OKLCh(0.96, 0.09, 92)),
        ]
    )

    /// Coal, red heat, orange, pale flame.
    public static let ember = Palette(
        name: "ember",
        stops: [
            Stop(0, OKLCh(0.11, 0.02, 20)),
            Stop(0.3, OKLCh(0.34, 0.12, 22)),
            Stop(0.55, OKLCh(0.58, 0.19, 38)),
            Stop(0.8, OKLCh(0.8, 0.16, 72)),
            Stop(1, OKLCh(0.97, 0.07, 98)),
        ]
    )

    /// Night blue, violet, silver.
    public static let moonlight = Palette(
        name: "moonlight",
        stops: [
            Stop(0, OKLCh(0.12, 0.035, 275)),
            Stop(0.3, OKLCh(0.36, 0.11, 285)),
            Stop(0.6, OKLCh(0.62, 0.12, 265)),
            Stop(0.85, OKLCh(0.85, 0.07, 235)),
            Stop(1, OKLCh(0.98, 0.02, 210)),
        ]
    )
}
