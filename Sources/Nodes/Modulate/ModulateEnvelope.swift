import Graph
import Media
import Physarum

/// Lets each hit of a band raise a parameter and let it sink again.
///
/// A hit is a reading whose transient reaches `threshold` after one below it. From then on the envelope
/// rises evenly from where it is to the hit's strength, the transient's peak, within `attack`, stays
/// there for `hold`, and sinks evenly to 0 within `release`; the next hit begins anew. The target's
/// factor is 1 + depth · envelope, multiplied onto what the parameters carry already.
///
/// The two inputs must have one rate; the output ends with the shorter. No latency. Deterministic.
struct ModulateEnvelope: Node {
    static let kind = "modulate.envelope"
    static let execution = Execution.serial

    let parameters: Input<ParameterSet>
    let bands: Input<AudioBands>
    let out: Output<ParameterSet>
    let source: AudioReactive.Source
    let modulation: Modulation
    private var envelope: Envelope

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .together, changes: .accepts, "What is modulated.")
        bands = c.input("bands", .together, changes: .accepts, "The sound's bands.")
        out = c.output("parameters", like: parameters, "The same with a factor multiplied on.")
        source = c.choice(
            "source",
            default: AudioReactive.Source.bass,
            "The band whose hits count."
        )
        modulation = Modulation(&c)
        func seconds(_ name: String, _ fallback: MediaTime, _ help: String) -> Double {
            let time = c.time(name, default: .time(fallback), help)
            if case .samples = time {
                c.require(false, name, "must be in seconds: parameters have no samples")
            }
            return time.resolved(sampleRate: 1).seconds
        }
        envelope = Envelope(
            threshold: c.number(
                "threshold",
                default: 0.3,
                in: 0.01...1,
                .none,
                "The transient from which on a reading is a hit."
            ),
            attack: seconds("attack", MediaTime(1, 100), "How long the rise takes."),
            hold: seconds("hold", MediaTime(1, 20), "How long it stays up."),
            release: seconds("release", MediaTime(2, 5), "How long the fall takes.")
        )
    }

    func resolve(_ f: inout Formats) {
        guard let info = f.info(of: parameters), let format = f[parameters] else { return }
        let lengths = [info.duration, f.duration(of: bands)].compactMap { $0 }
        f.set(
            out,
            format,
            rate: info.rate,
            duration: lengths.min(),
            delay: f.info(of: bands)?.delay,
            bytesPerPacket: info.bytesPerPacket
        )
    }

    mutating func run(_ io: inout IO) {
        while let set = io.take(parameters), let reading = io.take(bands) {
            let value = envelope.next(
                reading.payload.transient[source],
                seconds: reading.payload.format.rate.interval.seconds
            )
            let isCut = reading.duration < set.duration
            io.emit(
                modulation.applied(value, to: set.payload),
                at: isCut ? reading.time : set.time,
                duration: isCut ? reading.duration : set.duration,
                flags: set.flags,
                on: out
            )
        }
    }
}

/// A rise, a stay and a fall, begun anew by each hit.
struct Envelope {
    let threshold: Double
    let attack: Double
    let hold: Double
    let release: Double
    private var value = 0.0
    /// Where the rise began, and where it leads to.
    private var start = 0.0
    private var peak = 0.0
    /// Seconds since the last hit; nil before the first.
    private var age: Double?
    private var wasHit = false

    init(threshold: Double, attack: Double, hold: Double, release: Double) {
        self.threshold = threshold
        self.attack = attack
        self.hold = hold
        self.release = release
    }

    /// Takes a reading and returns the envelope at its time.
    mutating func next(_ transient: Double, seconds: Double) -> Double {
        let isHit = transient >= threshold
        if isHit, !wasHit {
            (start, peak, age) = (value, transient, 0)
        } else if isHit, let age, age <= attack {
            peak = max(peak, transient)
        }
        wasHit = isHit
        guard let age else { return 0 }
        if age < attack {
            value = start + (peak - start) * age / attack
        } else if age <= attack + hold {
            value = peak
        } else if age < attack + hold + release {
            value = peak * (1 - (age - attack - hold) / release)
        } else {
            value = 0
        }
        self.age = age + seconds
        return value
    }
}
