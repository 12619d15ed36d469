import Graph
import Media
import Physarum

/// Moves a parameter to and fro, in seconds or in beats.
///
/// The target's factor is 1 + depth · w, where w runs through its waveform from −1 to 1: a sine from 0
/// up; a triangle from 0 up; a saw that rises from −1 to 1 and falls at once; a square that is 1 for
/// half its period and then −1; or smooth noise, a new random value each period with a curve between
/// them, which the seed decides. The factor is multiplied onto what the parameters carry already, so
/// modulators can be chained; an additive parameter moves by depth · w of its steps.
///
/// The wave is a function of time alone, so it is the same at any rate of readings. With `beats`
/// connected a period is that many beats, however the tempo moves; before the first beat w is 0, and
/// after the last one the tempo goes on.
///
/// No latency. Deterministic on every machine.
struct ModulateLFO: Node {
    static let kind = "modulate.lfo"
    static let execution = Execution.serial

    /// The form of a period.
    enum Waveform: String, CaseIterable {
        case sine, triangle, saw, square, noise
    }

    let parameters: Input<ParameterSet>
    let beats: Input<Beat>?
    let out: Output<ParameterSet>
    let modulation: Modulation
    let waveform: Waveform
    let frequency: Double
    let beatsPerPeriod: Double
    let phase: Double
    let seed: UInt64

    init(_ c: inout Contract) {
        parameters = c.input("parameters", .inOrder, changes: .accepts, "What is modulated.")
        beats = c.optionalInput("beats", .hold, changes: .accepts, "The beats that periods follow.")
        out = c.output("parameters", like: parameters, "The same with a factor multiplied on.")
        modulation = Modulation(&c)
        waveform = c.choice("waveform", default: Waveform.sine, "The form of a period.")
        let frequency = c.optionalNumber(
            "frequency",
            in: 0.0001...100,
            .hertz,
            "Periods a second, where no beats are connected; default 0.25."
        )
        let period = c.optionalNumber(
            "period",
            in: 0.125...1024,
            .none,
            "Beats in a period, where beats are connected; default 4."
        )
        phase = c.number(
            "phase",
            default: 0,
            in: 0...1,
            .none,
            "Where in its period the wave begins."
        )
        seed = UInt64(
            c.integer(
                "seed",
                default: 1,
                in: 0...9_007_199_254_740_991,
                .none,
                "Another seed, other noise."
            )
        )
        c.require(
            beats == nil || frequency == nil,
            "frequency",
            "is for waves in seconds, and beats are connected: give \"period\" in its place"
        )
        c.require(
            beats != nil || period == nil,
            "period",
            "is in beats, and none are connected: connect \"beats\", or give \"frequency\""
        )
        self.frequency = frequency ?? 0.25
        beatsPerPeriod = period ?? 4
    }

    mutating func run(_ io: inout IO) {
        while let packet = io.take(parameters) {
            var signal = 0.0
            if let beats {
                if let beat = io.take(beats) {
                    let position = beat.payload.position(
                        at: packet.time,
                        since: beat.time,
                        beat.duration
                    )
                    signal = value(at: position / beatsPerPeriod + phase)
                }
            } else {
                signal = value(at: packet.time.seconds * frequency + phase)
            }
            io.emit(modulation.applied(signal, to: packet.payload), like: packet, on: out)
        }
    }

    /// The wave after so many periods.
    func value(at periods: Double) -> Double {
        let whole = periods.rounded(.down)
        let part = periods - whole
        switch waveform {
        case .sine: return PortableMath.sine(phase: UInt64(part * 0x1p64))
        case .triangle: return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4
        case .saw: return 2 * part - 1
        case .square: return part < 0.5 ? 1 : -1
        case .noise:
            func drawn(_ offset: Int64) -> Double {
                let number = UInt64(bitPattern: Int64(whole) + offset)
                let bits = RandomBits.mixed(seed: seed, stream: 0x4C46_4F, counter: number)
                return Double(bits >> 11) * 0x1p-52 - 1
            }
            // A cubic through the two values, whose slopes are those of their neighbours (Catmull and
            // Rom, "A class of local interpolating splines", 1974).
            let (before, left, right, after) = (drawn(-1), drawn(0), drawn(1), drawn(2))
            let (rise, fall) = ((right - before) / 2, (after - left) / 2)
            let square = part * part
            let cube = square * part
            let sum =
                (2 * cube - 3 * square + 1) * left + (cube - 2 * square + part) * rise
                + (3 * square - 2 * cube) * right + (cube - square) * fall
            return min(max(sum, -1), 1)
        }
    }
}
