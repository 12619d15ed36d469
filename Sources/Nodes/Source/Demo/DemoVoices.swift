import Media

/// Something that sounds for a while.
protocol DemoVoice {
    /// Whether it is silent for good.
    var isOver: Bool { get }
    /// Adds its next tick.
    mutating func render(into tick: inout StereoTick)
}

/// The voices of one instrument that sound now.
struct Ensemble<Voice: DemoVoice> {
    private var voices: [Voice] = []

    mutating func add(_ voice: Voice) { voices.append(voice) }

    /// Makes their tick anew.
    mutating func render(into tick: inout StereoTick) {
        tick.clear()
        for index in voices.indices { voices[index].render(into: &tick) }
        voices.removeAll(where: \.isOver)
    }
}

/// A bass drum: a sine that sweeps down, with a click.
struct KickVoice: DemoVoice {
    private var phase: UInt64 = 0
    private var sweep = Decay(from: 170, seconds: 0.026)
    private var loudness: Decay
    private var click: Decay
    private var noise = Noise(seed: 1)

    init(velocity: Double) {
        loudness = Decay(from: velocity, seconds: 0.15)
        click = Decay(from: velocity * 0.5, seconds: 0.002)
    }

    var isOver: Bool { loudness.value < 1e-4 }

    mutating func render(into tick: inout StereoTick) {
        for index in 0..<StereoTick.length {
            let frequency = 47 + sweep.next()
            phase &+= UInt64(frequency / StereoTick.sampleRate * 0x1p64)
            // A little overdriven, so that small loudspeakers have something of it.
            let body = PortableMath.sine(phase: phase) * 1.3
            let value =
                body * (1 - body * body / 9) * loudness.next() + noise.next() * click.next() * 0.35
            tick.left[index] += value
            tick.right[index] += value
        }
    }
}

/// A snare drum with hands: a short tone and a band of noise that begins three times.
struct SnareVoice: DemoVoice {
    private var tone = Sine(frequency: 186)
    private var body: Decay
    private var tail: Decay
    private var burst = Decay(seconds: 0.004)
    private var position = 0
    private var noise: (left: Noise, right: Noise)
    private var filter: (left: MovingFilter, right: MovingFilter)

    init(velocity: Double, seed: UInt64) {
        body = Decay(from: velocity * 0.5, seconds: 0.05)
        tail = Decay(from: velocity, seconds: 0.085)
        noise = (Noise(seed: seed), Noise(seed: seed + 1))
        var filter = MovingFilter(resonance: 0.9)
        filter.tune(2100)
        self.filter = (filter, filter)
    }

    var isOver: Bool { tail.value < 1e-4 }

    mutating func render(into tick: inout StereoTick) {
        for index in 0..<StereoTick.length {
            if position == 480 || position == 960 { burst = Decay(seconds: 0.004) }
            let strength = (position < 960 ? burst.next() : 1) * tail.next()
            position += 1
            let drum = tone.next() * body.next()
            let left = filter.left.next(noise.left.next())
            let right = filter.right.next(noise.right.next())
            tick.left[index] += drum + (left.band * 1.1 + left.high * 0.6) * strength
            tick.right[index] += drum + (right.band * 1.1 + right.high * 0.6) * strength
        }
    }
}

/// A cymbal: noise above a cutoff that dies away; short for hats, long for crashes.
struct CymbalVoice: DemoVoice {
    private var loudness: Decay
    private let share: (left: Double, right: Double)
    private let width: Double
    private var noise: (middle: Noise, side: Noise)
    private var filter: (middle: MovingFilter, side: MovingFilter)

    init(
        velocity: Double,
        seconds: Double,
        cutoff: Double,
        pan: Double,
        width: Double,
        seed: UInt64
    ) {
        loudness = Decay(from: velocity, seconds: seconds)
        share = panned(pan)
        self.width = width
        noise = (Noise(seed: seed), Noise(seed: seed + 1))
        var filter = MovingFilter(resonance: 1.1)
        filter.tune(cutoff)
        self.filter = (filter, filter)
    }

    var isOver: Bool { loudness.value < 1e-4 }

    mutating func render(into tick: inout StereoTick) {
        for index in 0..<StereoTick.length {
            let strength = loudness.next()
            let middle = filter.middle.next(noise.middle.next()).high * strength
            let side = filter.side.next(noise.side.next()).high * strength * width
            tick.left[index] += (middle + side) * share.left
            tick.right[index] += (middle - side) * share.right
        }
    }
}

/// Noise in a band that rises from 300 Hz to 9 kHz while it gets louder.
struct RiserVoice: DemoVoice {
    private let ticks: Int
    private var position = 0
    private var noise = (left: Noise(seed: 77), right: Noise(seed: 78))
    private var filter = (
        left: MovingFilter(resonance: 2.5), right: MovingFilter(resonance: 2.5)
    )

    init(ticks: Int) { self.ticks = ticks }

    var isOver: Bool { position >= ticks }

    mutating func render(into tick: inout StereoTick) {
        let progress = Double(position) / Double(ticks)
        let next = Double(position + 1) / Double(ticks)
        let cutoff = 300 * PortableMath.exp2(progress * 4.9)
        filter.left.tune(cutoff)
        filter.right.tune(cutoff * 1.06)
        for index in 0..<StereoTick.length {
            // Straight between ticks, or the steps would be heard; down to 0 in the last one.
            let between = Double(index) / Double(StereoTick.length)
            let target = position + 1 == ticks ? 0 : next * next
            let strength = progress * progress * (1 - between) + target * between
            tick.left[index] += filter.left.next(noise.left.next()).band * strength
            tick.right[index] += filter.right.next(noise.right.next()).band * strength
        }
        position += 1
    }
}

/// A bass: a sawtooth through a filter that closes, over a sine.
struct BassVoice: DemoVoice {
    private var saw: Saw
    private var sine: Sine
    private var gate: Gate
    private var filter = MovingFilter(resonance: 1.6)
    private var opening: Decay
    private let velocity: Double

    init(note: Int, ticks: Int, velocity: Double) {
        let pitch = frequency(ofNote: Double(note))
        saw = Saw(frequency: pitch * 2, phase: 0)
        sine = Sine(frequency: pitch)
        gate = Gate(attack: 120, hold: ticks * StereoTick.length, release: 720)
        opening = Decay(from: 1100 * velocity, seconds: 0.09)
        self.velocity = velocity
    }

    var isOver: Bool { gate.isOver }

    mutating func render(into tick: inout StereoTick) {
        filter.tune(180 + opening.value)
        for index in 0..<StereoTick.length {
            _ = opening.next()
            let edge = filter.next(saw.next()).low
            let value = (edge * 0.45 + sine.next() * 0.75) * gate.next() * velocity
            tick.left[index] += value
            tick.right[index] += value
        }
    }
}

/// One note of a string pad: two sawtooths a side, detuned, that come and go slowly.
struct PadVoice: DemoVoice {
    private var left: (Saw, Saw)
    private var right: (Saw, Saw)
    private var gate: Gate
    private let velocity: Double

    init(note: Int, ticks: Int, velocity: Double) {
        func saw(_ cents: Double, _ phase: UInt64) -> Saw {
            Saw(
                frequency: frequency(ofNote: Double(note) + cents / 100),
                phase: UInt64(note) &* 0x9E37_79B9_7F4A_7C15 &+ phase << 61
            )
        }
        left = (saw(-9, 0), saw(4, 3))
        right = (saw(-4, 5), saw(9, 6))
        gate = Gate(attack: 4800, hold: ticks * StereoTick.length, release: 12_000)
        self.velocity = velocity
    }

    var isOver: Bool { gate.isOver }

    mutating func render(into tick: inout StereoTick) {
        for index in 0..<StereoTick.length {
            let strength = gate.next() * velocity
            tick.left[index] += (left.0.next() + left.1.next()) * strength
            tick.right[index] += (right.0.next() + right.1.next()) * strength
        }
    }
}

/// A plucked note: two sawtooths through a filter that closes fast.
struct PluckVoice: DemoVoice {
    private var saws: (Saw, Saw)
    private var filter = MovingFilter(resonance: 1.3)
    private var opening: Decay
    private var loudness: Decay
    private var gate = Gate(attack: 48, hold: 48_000, release: 4800)
    private let share: (left: Double, right: Double)

    init(note: Int, velocity: Double, pan: Double) {
        let pitch = Double(note)
        saws = (
            Saw(frequency: frequency(ofNote: pitch - 0.06), phase: 0),
            Saw(frequency: frequency(ofNote: pitch + 0.06), phase: 1 << 62)
        )
        opening = Decay(from: 8000 * velocity, seconds: 0.07)
        loudness = Decay(from: velocity, seconds: 0.16)
        share = panned(pan)
    }

    var isOver: Bool { loudness.value < 3e-4 || gate.isOver }

    mutating func render(into tick: inout StereoTick) {
        filter.tune(500 + opening.value)
        for index in 0..<StereoTick.length {
            _ = opening.next()
            let value =
                filter.next(saws.0.next() + saws.1.next()).low * loudness.next() * gate.next()
            tick.left[index] += value * share.left
            tick.right[index] += value * share.right
        }
    }
}

/// The melody: a bell by frequency modulation that sings on while it is held.
struct LeadVoice: DemoVoice {
    private var carrier: (left: Sine, right: Sine)
    private var modulator: Sine
    private var vibrato = Sine(frequency: 5.1)
    private var index: Decay
    private var loudness: Decay
    private var swell: Gate
    private var gate: Gate
    private let velocity: Double

    init(note: Int, ticks: Int, velocity: Double) {
        let pitch = frequency(ofNote: Double(note))
        carrier = (Sine(frequency: pitch * 0.9985), Sine(frequency: pitch * 1.0015))
        modulator = Sine(frequency: pitch * 2)
        index = Decay(from: 0.32 * velocity, seconds: 0.16)
        loudness = Decay(from: 0.65, seconds: 0.3)
        // The vibrato comes late, as a singer's does.
        swell = Gate(attack: 19_200, hold: 96_000, release: 1)
        gate = Gate(attack: 96, hold: ticks * StereoTick.length, release: 6000)
        self.velocity = velocity
    }

    var isOver: Bool { gate.isOver }

    mutating func render(into tick: inout StereoTick) {
        for position in 0..<StereoTick.length {
            let wobble = vibrato.next() * swell.next() * 0.09
            let bend = modulator.next(offset: wobble * 2) * (0.045 + index.next()) + wobble
            let strength = (0.35 + loudness.next()) * gate.next() * velocity
            tick.left[position] += carrier.left.next(offset: bend) * strength
            tick.right[position] += carrier.right.next(offset: bend) * strength
        }
    }
}
