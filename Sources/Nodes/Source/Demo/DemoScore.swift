/// Something that begins to sound.
enum DemoEvent {
    case kick(velocity: Double)
    case snare(velocity: Double)
    case hat(isOpen: Bool, velocity: Double, pan: Double)
    case crash(velocity: Double)
    /// Noise that rises for some ticks.
    case riser(ticks: Int)
    /// Notes are MIDI numbers: 69 is the A at 440 Hz.
    case bass(note: Int, ticks: Int, velocity: Double)
    case pad(note: Int, ticks: Int, velocity: Double)
    case pluck(note: Int, velocity: Double, pan: Double)
    case lead(note: Int, ticks: Int, velocity: Double)
}

/// The built-in track as a score: 14 bars of four beats at 120 beats a minute, in A minor.
///
/// Two bars lead in, four bring the groove with the melody, two are a break that builds up over
/// D minor and E, four are the full band, and two let the last chord die away.
struct DemoScore {
    /// A tick is 5 ms, a step a sixteenth of 25 ticks, a bar 16 steps.
    static let ticksPerStep = 25
    static let ticksPerBar = 400
    static let bars = 14

    /// What begins at each tick.
    private(set) var events: [[DemoEvent]]

    /// One bar's chord: the bass note, and the voices above it from low to high.
    private struct Chord {
        let root: Int
        let voices: [Int]

        static let aMinor9 = Chord(root: 33, voices: [57, 60, 64, 67, 71])
        static let fMajor7 = Chord(root: 29, voices: [53, 57, 60, 64, 69])
        static let cAdd9 = Chord(root: 36, voices: [55, 60, 62, 64, 67])
        static let g6 = Chord(root: 31, voices: [55, 59, 62, 64, 67])
        static let dMinor9 = Chord(root: 38, voices: [53, 57, 60, 62, 64])
        static let e7Suspended = Chord(root: 40, voices: [52, 57, 59, 62, 64])
        static let e7 = Chord(root: 40, voices: [52, 56, 59, 62, 64])
    }

    private static let cycle: [Chord] = [.aMinor9, .fMajor7, .cAdd9, .g6]
    /// The melody of a cycle: step of the bar, note, length in steps.
    private static let melody: [[(step: Int, note: Int, steps: Int)]] = [
        [(0, 76, 3), (3, 74, 3), (6, 72, 2), (8, 69, 4), (12, 72, 2), (14, 74, 2)],
        [(0, 72, 3), (3, 74, 3), (6, 76, 2), (8, 79, 4), (12, 76, 2), (14, 74, 2)],
        [(0, 76, 3), (3, 79, 3), (6, 76, 2), (8, 74, 4), (12, 72, 2), (14, 74, 2)],
        [(0, 71, 3), (3, 74, 3), (6, 79, 2), (8, 76, 3), (11, 74, 3), (14, 71, 2)],
    ]

    /// Writes the score down.
    init() {
        events = Array(repeating: [], count: Self.bars * Self.ticksPerBar)
        leadIn()
        for bar in 0..<4 { groove(bar: 2 + bar, position: bar) }
        breakdown(bar: 6)
        for bar in 0..<4 { fullBand(bar: 8 + bar, position: bar) }
        ending(bar: 12)
    }

    // MARK: Sections

    private mutating func leadIn() {
        chord(.aMinor9, bar: 0)
        chord(.fMajor7, bar: 1)
        for bar in 0..<2 {
            arpeggio(Self.cycle[bar], bar: bar, velocity: 0.55 + 0.2 * Double(bar), density: 1)
            for beat in 0..<4 { add(.kick(velocity: 0.7 + 0.1 * Double(bar)), bar, beat * 4) }
            bass(Self.cycle[bar], bar: bar, steps: [(0, 0, 6, 0.6), (10, 0, 4, 0.5)])
        }
        hats(bar: 1, velocity: 0.5, isBusy: false)
        add(.hat(isOpen: true, velocity: 0.8, pan: 0.2), 1, 14)
    }

    private mutating func groove(bar: Int, position: Int) {
        let harmony = Self.cycle[position]
        if position == 0 { add(.crash(velocity: 0.6), bar, 0) }
        chord(harmony, bar: bar)
        arpeggio(harmony, bar: bar, velocity: 0.6, density: 1)
        drums(bar: bar, isBusy: false)
        bass(
            harmony,
            bar: bar,
            steps: [
                (2, 0, 2, 0.9), (6, 0, 2, 0.9), (10, 0, 2, 0.9), (14, 12, 1, 0.8), (15, 0, 1, 0.6),
            ]
        )
        for note in Self.melody[position] where position % 2 == 0 || note.step < 12 {
            melody(note, bar: bar, transposedBy: 0, velocity: 0.75)
        }
    }

    private mutating func breakdown(bar: Int) {
        chord(.dMinor9, bar: bar)
        for voice in Chord.e7Suspended.voices {
            add(.pad(note: voice, ticks: 200, velocity: 1), bar + 1, 0)
        }
        for voice in Chord.e7.voices { add(.pad(note: voice, ticks: 190, velocity: 1), bar + 1, 8) }
        add(.kick(velocity: 0.9), bar, 0)
        add(.crash(velocity: 0.5), bar, 0)
        bass(.dMinor9, bar: bar, steps: [(0, 0, 14, 0.5)])
        bass(.e7, bar: bar + 1, steps: [(0, 0, 13, 0.5)])
        arpeggio(.dMinor9, bar: bar, velocity: 0.5, density: 2)
        arpeggio(.e7Suspended, bar: bar + 1, velocity: 0.75, density: 1, steps: 0..<8)
        arpeggio(.e7, bar: bar + 1, velocity: 0.9, density: 1, steps: 8..<14)
        for note in [(0, 77, 6), (6, 76, 2), (8, 74, 8)] {
            melody((note.0, note.1, note.2), bar: bar, transposedBy: 0, velocity: 0.6)
        }
        melody((0, 76, 8), bar: bar + 1, transposedBy: 0, velocity: 0.6)
        melody((8, 80, 6), bar: bar + 1, transposedBy: 0, velocity: 0.7)
        add(.riser(ticks: 2 * Self.ticksPerBar - 50), bar, 0)
        // The roll gets denser and louder, and stops two steps before the band comes back.
        for step in 0..<14 where step >= 8 || step % 2 == 0 {
            add(.snare(velocity: 0.25 + 0.05 * Double(step)), bar + 1, step)
        }
        for beat in 0..<3 { add(.kick(velocity: 0.5 + 0.15 * Double(beat)), bar + 1, beat * 4) }
    }

    private mutating func fullBand(bar: Int, position: Int) {
        let harmony = Self.cycle[position]
        if position % 2 == 0 { add(.crash(velocity: position == 0 ? 1 : 0.5), bar, 0) }
        chord(harmony, bar: bar)
        arpeggio(harmony, bar: bar, velocity: 0.7, density: 1, octave: 12)
        drums(bar: bar, isBusy: true)
        bass(
            harmony,
            bar: bar,
            steps: [
                (2, 0, 1, 1), (3, 0, 1, 0.7), (6, 0, 1, 1), (7, 12, 1, 0.7), (10, 0, 1, 1),
                (11, 0, 1, 0.7), (14, 7, 1, 0.9), (15, 12, 1, 0.9),
            ]
        )
        for note in Self.melody[position] {
            melody(note, bar: bar, transposedBy: 0, velocity: 0.85)
            melody(note, bar: bar, transposedBy: 12, velocity: 0.35)
        }
        guard position == 3 else { return }
        for step in [10, 12, 13, 14, 15] {
            add(.snare(velocity: 0.35 + 0.03 * Double(step)), bar, step)
        }
    }

    private mutating func ending(bar: Int) {
        add(.kick(velocity: 1), bar, 0)
        add(.crash(velocity: 0.8), bar, 0)
        for voice in Chord.aMinor9.voices {
            add(.pad(note: voice, ticks: 2 * Self.ticksPerBar, velocity: 1), bar, 0)
        }
        bass(.aMinor9, bar: bar, steps: [(0, 0, 30, 0.6)])
        arpeggio(.aMinor9, bar: bar, velocity: 0.6, density: 1, octave: 12)
        arpeggio(.aMinor9, bar: bar + 1, velocity: 0.4, density: 2, octave: 12)
        melody((0, 76, 12), bar: bar, transposedBy: 0, velocity: 0.8)
        melody((12, 81, 16), bar: bar, transposedBy: 0, velocity: 0.6)
    }

    // MARK: Parts

    private mutating func drums(bar: Int, isBusy: Bool) {
        for beat in 0..<4 { add(.kick(velocity: 1), bar, beat * 4) }
        for step in [4, 12] { add(.snare(velocity: 0.85), bar, step) }
        hats(bar: bar, velocity: isBusy ? 0.7 : 0.55, isBusy: isBusy)
        for step in stride(from: 2, to: 16, by: 4) {
            add(.hat(isOpen: true, velocity: isBusy ? 0.75 : 0.55, pan: 0.15), bar, step)
        }
    }

    private mutating func hats(bar: Int, velocity: Double, isBusy: Bool) {
        for step in 0..<16 where isBusy || step % 2 == 0 {
            // Off-beats are open hats where there are drums.
            if step % 4 == 2 { continue }
            let accent = step % 4 == 0 ? 0.7 : 1.0
            let softer = step % 2 == 1 ? 0.6 : 1.0
            add(
                .hat(isOpen: false, velocity: velocity * accent * softer, pan: -0.25),
                bar,
                step,
                swing: step % 2 == 1
            )
        }
    }

    private mutating func chord(_ chord: Chord, bar: Int) {
        for voice in chord.voices {
            add(.pad(note: voice, ticks: Self.ticksPerBar - 10, velocity: 1), bar, 0)
        }
    }

    private mutating func arpeggio(
        _ chord: Chord,
        bar: Int,
        velocity: Double,
        density: Int,
        octave: Int = 0,
        steps: Range<Int> = 0..<16
    ) {
        let order = [0, 2, 4, 1, 3, 2, 4, 3, 0, 3, 2, 4, 1, 4, 3, 2]
        for step in steps where step % density == 0 {
            let accent = step % 4 == 0 ? 1.0 : step % 2 == 0 ? 0.75 : 0.55
            add(
                .pluck(
                    note: chord.voices[order[step]] + 12 + octave,
                    velocity: velocity * accent,
                    pan: step % 4 < 2 ? -0.5 : 0.5
                ),
                bar,
                step,
                swing: step % 2 == 1
            )
        }
    }

    private mutating func bass(
        _ chord: Chord,
        bar: Int,
        steps: [(step: Int, interval: Int, length: Int, velocity: Double)]
    ) {
        for note in steps {
            add(
                .bass(
                    note: chord.root + note.interval,
                    ticks: note.length * Self.ticksPerStep - 4,
                    velocity: note.velocity
                ),
                bar,
                note.step
            )
        }
    }

    private mutating func melody(
        _ note: (step: Int, note: Int, steps: Int),
        bar: Int,
        transposedBy interval: Int,
        velocity: Double
    ) {
        add(
            .lead(
                note: note.note + interval,
                ticks: note.steps * Self.ticksPerStep - 3,
                velocity: velocity
            ),
            bar,
            note.step
        )
    }

    private mutating func add(_ event: DemoEvent, _ bar: Int, _ step: Int, swing: Bool = false) {
        events[bar * Self.ticksPerBar + step * Self.ticksPerStep + (swing ? 2 : 0)].append(event)
    }
}
