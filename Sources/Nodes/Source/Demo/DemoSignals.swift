import Media

/// A stretch of stereo sound of one tick.
struct StereoTick {
    /// Samples in a tick: 5 ms at 48 kHz.
    static let length = 240
    static let sampleRate = 48_000.0

    var left = [Double](repeating: 0, count: length)
    var right = [Double](repeating: 0, count: length)

    /// Makes it silent.
    mutating func clear() {
        for index in 0..<Self.length {
            left[index] = 0
            right[index] = 0
        }
    }
}

/// A value that falls by a factor of e in a given time.
struct Decay {
    private(set) var value: Double
    private let factor: Double

    /// Begins at `value`.
    init(from value: Double = 1, seconds: Double) {
        self.value = value
        factor = PortableMath.exp(-1 / (seconds * StereoTick.sampleRate))
    }

    /// The value now; then falls by a sample's worth.
    mutating func next() -> Double {
        defer { value *= factor }
        return value
    }
}

/// A gain that rises in a straight line, holds, and falls in a straight line.
struct Gate {
    private var position = 0
    private let attack: Int
    private let end: Int
    private let release: Int

    /// All in samples.
    init(attack: Int, hold: Int, release: Int) {
        self.attack = attack
        end = max(hold, attack)
        self.release = release
    }

    var isOver: Bool { position >= end + release }

    mutating func next() -> Double {
        defer { position += 1 }
        if position < attack { return Double(position) / Double(attack) }
        if position < end { return 1 }
        return max(0, 1 - Double(position - end) / Double(release))
    }
}

/// White noise from a linear congruential generator (Knuth's constants), full scale ±1.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(Int64(bitPattern: state)) * 0x1p-63
    }
}

/// A sawtooth without the aliases that its jump would have.
///
/// The jump is rounded over two samples by a polynomial: Välimäki and Huovilainen, "Antialiasing
/// oscillators in subtractive synthesis", 2007.
struct Saw {
    private var phase: UInt64
    private let step: UInt64
    private let width: Double

    init(frequency: Double, phase: UInt64) {
        self.phase = phase
        step = PortableMath.phaseStep(frequency: frequency, sampleRate: StereoTick.sampleRate)
        width = Double(step) * 0x1p-64
    }

    mutating func next() -> Double {
        phase &+= step
        let turns = Double(phase >> 11) * 0x1p-53
        var value = 2 * turns - 1
        if turns < width {
            let x = turns / width - 1
            value += x * x
        } else if turns > 1 - width {
            let x = (turns - 1) / width + 1
            value -= x * x
        }
        return value
    }
}

/// A sine.
struct Sine {
    private var phase: UInt64 = 0
    private let step: UInt64

    init(frequency: Double) {
        step = PortableMath.phaseStep(frequency: frequency, sampleRate: StereoTick.sampleRate)
    }

    /// The next sample; `offset` turns ahead, for frequency modulation.
    mutating func next(offset: Double = 0) -> Double {
        phase &+= step
        let shift = UInt64(bitPattern: Int64(offset * 0x1p62)) &* 4
        return PortableMath.sine(phase: phase &+ shift)
    }
}

/// A filter of 12 dB an octave whose cutoff may move while it runs.
///
/// The state variable filter in the form of Zavalishin, "The art of VA filter design", 2012.
struct MovingFilter {
    private var first = 0.0
    private var second = 0.0
    private var g = 0.1
    private var a1 = 1.0
    private let damping: Double

    struct Bands {
        var low: Double
        var band: Double
        var high: Double
    }

    /// Takes a resonance of at least 0.5; 0.707 has none.
    init(resonance: Double) { damping = 1 / resonance }

    /// Moves the cutoff, in Hz; 20 Hz to 18 kHz.
    mutating func tune(_ frequency: Double) {
        let turns = min(max(frequency, 20), 18_000) / StereoTick.sampleRate / 2
        let phase = UInt64(turns * 0x1p64)
        g = PortableMath.sine(phase: phase) / PortableMath.cosine(phase: phase)
        a1 = 1 / (1 + g * (g + damping))
    }

    mutating func next(_ input: Double) -> Bands {
        let band = a1 * (first + g * (input - second))
        let low = second + g * band
        first = 2 * band - first
        second = 2 * low - second
        return Bands(low: low, band: band, high: input - damping * band - low)
    }
}

/// The frequency of a MIDI note in equal temperament, in Hz.
func frequency(ofNote note: Double) -> Double { 440 * PortableMath.exp2((note - 69) / 12) }

/// The shares of left and right for a place from -1 to 1, of equal power.
func panned(_ pan: Double) -> (left: Double, right: Double) {
    let phase = UInt64((pan + 1) / 8 * 0x1p64)
    return (PortableMath.cosine(phase: phase), PortableMath.sine(phase: phase))
}
