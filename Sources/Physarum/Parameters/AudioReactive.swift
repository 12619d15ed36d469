/// How a preset moves with sound: routes from bands to parameters.
public struct AudioReactive: Sendable, Hashable {
    /// A part of the spectrum.
    public enum Source: String, Sendable, CaseIterable {
        case bass, mid, high
    }

    /// What of a band is followed.
    public enum Mode: String, Sendable, CaseIterable {
        /// How loud it is.
        case level
        /// Its hits.
        case transient
    }

    /// One wire from a band to a parameter.
    public struct Route: Sendable, Hashable {
        /// The band that is followed.
        public var source: Source
        /// The parameter that moves.
        public var target: Parameter
        /// By how much: at a full signal the target's factor is 1 + depth × gain.
        public var depth: Double
        /// What of the band is followed.
        public var mode: Mode

        /// Says all of it; without a mode a route follows the level.
        public init(_ source: Source, _ target: Parameter, depth: Double, mode: Mode = .level) {
            self.source = source
            self.target = target
            self.depth = depth
            self.mode = mode
        }
    }

    /// What `gain` may be in graph files and presets.
    public static let gainRange = 0.0...100
    /// What a route's depth may be in graph files and presets.
    public static let depthRange = -100.0...100

    /// Whether anything moves; if not, every factor is 1.
    public var isEnabled: Bool
    /// What every depth is multiplied with.
    public var gain: Double
    /// Whether quiet tracks are turned up; for level routes only.
    public var hasAutoGain: Bool
    /// The wires.
    public var routes: [Route]

    /// Says all of it.
    public init(
        isEnabled: Bool = true,
        gain: Double = 1,
        hasAutoGain: Bool = true,
        routes: [Route]
    ) {
        self.isEnabled = isEnabled
        self.gain = gain
        self.hasAutoGain = hasAutoGain
        self.routes = routes
    }

    /// The wiring of a preset that does not say: hits of the bass bloom and push, the mids stir and
    /// colour, the highs flash.
    public static let standard = AudioReactive(routes: [
        Route(.bass, .bloomIntensity, depth: 1.2, mode: .transient),
        Route(.bass, .moveSpeed, depth: 0.8, mode: .transient),
        Route(.high, .exposure, depth: 0.6, mode: .transient),
        Route(.mid, .chaosStrength, depth: 0.7, mode: .transient),
        Route(.mid, .saturation, depth: 0.4, mode: .level),
    ])
}
