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

    let blend: Blend?

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
}
