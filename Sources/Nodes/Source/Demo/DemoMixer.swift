import Media

/// Puts the built-in track's instruments together: levels, echo, hall, and the last stage.
struct DemoMixer {
    var kick = StereoTick()
    var snare = StereoTick()
    var cymbals = StereoTick()
    var riser = StereoTick()
    var bass = StereoTick()
    var pad = StereoTick()
    var pluck = StereoTick()
    var lead = StereoTick()
    /// What comes out.
    private(set) var mix = StereoTick()

    /// What is left of the last bass drum's hit, which pushes the others down.
    private var push = Decay(from: 0, seconds: 0.11)
    private var pushed = 0.0
    // Three sixteenths.
    private var echo = PingPongEcho(samples: 18_000, feedback: 0.5)
    private var hall = Hall(seconds: 1.9)
    private var padFilter = (
        left: MovingFilter(resonance: 0.8), right: MovingFilter(resonance: 0.8)
    )

    /// Full scale is ±1; the last stage bends what is louder towards this.
    private static let ceiling = 0.86
    private static let drive = 0.475
    /// Where the end fades, in ticks.
    private static let fade = (13 * DemoScore.ticksPerBar - 200)..<(14 * DemoScore.ticksPerBar)

    /// Pushes all but the drums down, as a bass drum's hit does.
    mutating func duck(_ velocity: Double) { push = Decay(from: velocity * 0.75, seconds: 0.11) }

    /// Mixes the instruments' ticks.
    mutating func mixDown(tick: Int) {
        let cutoff = Self.padCutoff(tick: tick)
        padFilter.left.tune(cutoff)
        padFilter.right.tune(cutoff)
        for index in 0..<StereoTick.length {
            // Rounded over some milliseconds, or the push would click.
            pushed += 0.012 * (push.next() - pushed)
            let free = 1 - pushed
            let padLeft = padFilter.left.next(pad.left[index]).low * free
            let padRight = padFilter.right.next(pad.right[index]).low * free
            let pluckLeft = pluck.left[index] * (0.5 + 0.5 * free)
            let pluckRight = pluck.right[index] * (0.5 + 0.5 * free)
            let (leadLeft, leadRight) = (lead.left[index], lead.right[index])
            let repeats = echo.next(
                pluckLeft * 0.10 + leadLeft * 0.11,
                pluckRight * 0.10 + leadRight * 0.11
            )
            let room = hall.next(
                padLeft * 0.03 + pluckLeft * 0.05 + leadLeft * 0.09 + snare.left[index] * 0.09
                    + riser.left[index] * 0.2 + repeats.left * 0.3 + cymbals.left[index] * 0.03,
                padRight * 0.03 + pluckRight * 0.05 + leadRight * 0.09 + snare.right[index] * 0.09
                    + riser.right[index] * 0.2 + repeats.right * 0.3 + cymbals.right[index] * 0.03
            )
            let left =
                kick.left[index] * 0.80 + snare.left[index] * 1.15 + cymbals.left[index] * 0.58
                + riser.left[index] * 0.22 + bass.left[index] * free * 0.36 + padLeft * 0.075
                + pluckLeft * 0.40 + leadLeft * 0.27 + repeats.left * (0.5 + 0.5 * free)
                + room.left * 0.55 * (0.4 + 0.6 * free)
            let right =
                kick.right[index] * 0.80 + snare.right[index] * 1.15 + cymbals.right[index] * 0.58
                + riser.right[index] * 0.22 + bass.right[index] * free * 0.36 + padRight * 0.075
                + pluckRight * 0.40 + leadRight * 0.27 + repeats.right * (0.5 + 0.5 * free)
                + room.right * 0.55 * (0.4 + 0.6 * free)
            let gain = Self.fadeGain(sample: tick * StereoTick.length + index)
            mix.left[index] = Self.bent(left * Self.drive) * gain
            mix.right[index] = Self.bent(right * Self.drive) * gain
        }
    }

    /// How bright the strings are: dark first, opening in the break, darker again at the end.
    private static func padCutoff(tick: Int) -> Double {
        let bar = Double(tick) / Double(DemoScore.ticksPerBar)
        let octaves: Double
        switch bar {
        case ..<2: octaves = bar * 0.6
        case ..<6: octaves = 1.3
        case ..<8: octaves = 0.3 + (bar - 6) * 1.7
        case ..<12: octaves = 2.1
        default: octaves = 2.1 - (bar - 12) * 0.9
        }
        return 1000 * PortableMath.exp2(octaves)
    }

    private static func fadeGain(sample: Int) -> Double {
        let start = fade.lowerBound * StereoTick.length
        if sample < start { return 1 }
        let length = fade.count * StereoTick.length
        let x = Double(sample + 1 - start) / Double(length)
        return 0.5 + 0.5 * PortableMath.cosine(phase: UInt64(min(x, 1) * 0x1p63))
    }

    /// A curve that is straight around 0 and never passes the ceiling (a rational tanh).
    private static func bent(_ value: Double) -> Double {
        let x = min(max(value / ceiling, -3), 3)
        return ceiling * x * (27 + x * x) / (27 + 9 * x * x)
    }
}
