import Graph
import Media
import Sound

/// Keys a text in Morse code.
///
/// Characters have the speed `speed` (PARIS); with a slower `overall` the gaps between them grow
/// (Farnsworth). Marks rise and fall over `ramp` like a raised cosine, within their length. `<SK>` runs
/// letters together. Starts with the first mark and ends with the last.
///
/// No latency. Deterministic on every machine.
struct SourceMorse: Node {
    static let kind = "source.morse"
    static let execution = Execution.serial
    /// Samples in a packet.
    private static let blockLength = 1024

    let out: Output<AudioBlock>
    let format: AudioFormat
    let amplitude: Float
    private let ramp: Int64
    private let step: UInt64
    /// Marks in samples.
    private let marks: [Range<Int64>]
    private let count: Int64
    private var position: Int64 = 0
    /// The mark that is next, or that has begun.
    private var next = 0

    init(_ c: inout Contract) {
        out = c.output("audio", "The keyed tone, from time 0 on.")
        let text = c.string(
            "text",
            default: "VVV",
            "What is keyed: letters, digits and . , : ? ' - / ( ) \" = + @"
        )
        let speed = c.number("speed", default: 15, in: 1...100, .none, "Words a minute.")
        let overall = c.optionalNumber(
            "overall",
            in: 1...100,
            .none,
            "Words a minute with longer gaps; at most `speed`."
        )
        let frequency = c.number("frequency", default: 600, in: 50...20_000, .hertz, "How high.")
        amplitude = c.decibels(
            "level",
            default: -6,
            in: -120...0,
            "Peak level; 0 dB is full scale."
        )
        let ramp = c.time(
            "ramp",
            default: .time(MediaTime(5, 1000)),
            "How long marks rise and fall."
        )
        let rate = c.integer(
            "sampleRate",
            default: 48_000,
            in: 4000...384_000,
            .hertz,
            "Samples a second."
        )
        let unknown = MorseKeying.unknown(in: text)
        c.require(
            unknown.isEmpty,
            "text",
            "has characters without a Morse code: \(unknown.map { "\($0)" }.joined(separator: " "))"
        )
        c.require(overall ?? speed <= speed, "overall", "must be at most \"speed\"")
        c.require(frequency * 2 < Double(rate), "frequency", "must be below half of \"sampleRate\"")
        format = AudioFormat(sampleRate: rate, channels: 1)
        self.ramp = format.index(of: ramp.resolved(sampleRate: rate))
        step = PortableMath.phaseStep(
            frequency: min(frequency, Double(rate) / 2),
            sampleRate: Double(rate)
        )
        let keying = MorseKeying(text, speed: speed, overall: min(overall ?? speed, speed))
        marks = keying.marks.map { mark in
            func index(_ time: Double) -> Int64 { Int64((time * Double(rate)).rounded()) }
            return index(mark.lowerBound)..<index(mark.upperBound)
        }
        count = marks.last?.upperBound ?? 0
        c.require(count > 0, "text", "has nothing to key")
    }

    func resolve(_ f: inout Formats) {
        f.set(
            out,
            format,
            rate: Rate(Int32(format.sampleRate), Int32(Self.blockLength)),
            duration: format.time(of: count),
            bytesPerPacket: Self.blockLength * 4
        )
    }

    mutating func run(_ io: inout IO) {
        let frames = Int(min(count - position, Int64(Self.blockLength)))
        guard frames > 0 else {
            io.end()
            return
        }
        var samples = [Float](repeating: 0, count: frames)
        for index in samples.indices {
            let place = position + Int64(index)
            while next < marks.count, marks[next].upperBound <= place { next += 1 }
            guard next < marks.count, marks[next].contains(place) else { continue }
            let mark = marks[next]
            // Both ramps fit into a short mark.
            let length = min(ramp, Int64(mark.count) / 2)
            let edge = min(place - mark.lowerBound, mark.upperBound - 1 - place)
            let gain = AudioFade.Curve.raisedCosine.gain(edge, of: length)
            let sine = PortableMath.sine(phase: UInt64(bitPattern: place) &* step)
            samples[index] = Float(sine * gain) * amplitude
        }
        let block = AudioBlock(sampleRate: format.sampleRate, channels: [samples])
        io.emit(block, at: format.time(of: position), duration: block.duration, on: out)
        position += Int64(frames)
        io.more()
    }
}
