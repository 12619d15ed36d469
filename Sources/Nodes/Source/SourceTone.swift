import Graph
import Media

/// Makes a sine wave of one frequency, or of two in turn, the same in all channels.
///
/// With `second` the tone warbles: it goes to the other frequency every half of `period`, without a jump
/// of its phase. The first sample is 0 and rising; the phase is counted in integers, so that the tone does
/// not drift in an hour. At exactly half the sample rate every sample falls on a zero of the sine.
/// Deterministic on every machine.
struct SourceTone: Node {
    static let kind = "source.tone"
    static let execution = Execution.serial
    /// Samples in a packet.
    static let blockLength = 1024

    let out: Output<AudioBlock>
    let format: AudioFormat
    let amplitude: Float
    /// How far the phase goes from sample to sample, of each frequency.
    private let steps: [UInt64]
    /// How many samples each lasts.
    private let turn: Int64
    /// How many samples there are; nil: no end.
    private let count: Int64?
    private var position: Int64 = 0
    private var phase: UInt64 = 0

    init(_ c: inout Contract) {
        out = c.output("audio", "The tone, from time 0 on.")
        let frequency = c.number(
            "frequency",
            default: 1000,
            in: 1...192_000,
            .hertz,
            "How high; at most half the sample rate."
        )
        let second = c.optionalNumber(
            "second",
            in: 1...192_000,
            .hertz,
            "The other frequency of a warble; without it there is one."
        )
        let period = c.time(
            "period",
            default: .time(MediaTime(1, 2)),
            "How long both frequencies of a warble last together."
        )
        amplitude = c.decibels(
            "level",
            default: -18,
            in: -120...0,
            "Peak level; 0 dB is full scale."
        )
        let length = c.optionalTime("duration", "How long; without it the tone has no end.")
        let rate = c.integer(
            "sampleRate",
            default: 48_000,
            in: 4000...384_000,
            .hertz,
            "Samples a second."
        )
        let channels = c.integer(
            "channels",
            default: 1,
            in: 1...64,
            .channels,
            "How many channels."
        )
        format = AudioFormat(sampleRate: rate, channels: channels)
        for (name, frequency) in [("frequency", frequency), ("second", second ?? 1)] {
            c.require(
                frequency * 2 <= Double(rate),
                name,
                "must be at most half of \"sampleRate\", which is \(rate)"
            )
        }
        steps = [frequency, second].compactMap {
            $0.map {
                PortableMath.phaseStep(
                    frequency: min($0, Double(rate) / 2),
                    sampleRate: Double(rate)
                )
            }
        }
        let samples = format.index(of: period.resolved(sampleRate: rate))
        c.require(samples >= 2, "period", "must be at least two samples")
        turn = max(1, samples / 2)
        count = length.map { [format] in
            format.index(of: $0.resolved(sampleRate: format.sampleRate))
        }
    }

    func resolve(_ f: inout Formats) throws {
        f.set(
            out,
            format,
            rate: Rate(Int32(format.sampleRate), Int32(Self.blockLength)),
            duration: count.map { format.time(of: $0) },
            bytesPerPacket: Self.blockLength * format.channels * 4
        )
    }

    mutating func run(_ io: inout IO) {
        let frames =
            count.map { Int(min($0 - position, Int64(Self.blockLength))) }
            ?? Self.blockLength
        guard frames > 0 else {
            io.end()
            return
        }
        var samples = Writable<Float>(uninitialized: frames * format.channels)
        samples.withMutableSpan { target in
            for frame in 0..<frames {
                let place = (position + Int64(frame)) / turn % Int64(steps.count)
                target[frame] = Float(PortableMath.sine(phase: phase)) * amplitude
                phase &+= steps[Int(place)]
            }
            for index in frames..<target.count { target[index] = target[index - frames] }
        }
        let block = AudioBlock(format: format, samples: samples)
        io.emit(block, at: format.time(of: position), duration: block.duration, on: out)
        position += Int64(frames)
        io.more()
    }
}
