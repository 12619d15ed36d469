import Graph
import Media
import Sound

/// Brings speech to a level below the ceiling of the limiter that follows.
///
/// Finds the gain with which active speech (ITU-T P.56: pauses do not count) lies `below` dB under
/// `ceiling` after audio.limit with the same ceiling and look-ahead has turned its peaks down. The highest
/// peak goes at most `limiting` dB above the ceiling, so that the limiter never works harder than that; what
/// is then too soft is told. Silence stays silence. Channels are averaged to measure them.
///
/// Latency: all of the audio, of which 64 MB are kept in memory and the rest in a file without a name.
/// Deterministic on every machine.
struct AudioLevel: Node {
    static let kind = "audio.level"
    static let execution = Execution.serial

    let audio: Input<AudioBlock>
    let out: Output<AudioBlock>
    let below: Double
    let ceiling: Double
    let limiting: Double
    let lookAhead: TimeValue
    private var stream: ContinuousAudio?
    private var held = HeldAudio()
    private var peak: Float = 0
    private var gain: Float?
    private var next = 0

    init(_ c: inout Contract) {
        audio = c.input("audio", .inOrder, "Audio at any rate.")
        out = c.output("audio", "The same, louder or softer.")
        below = c.number(
            "below",
            default: 11,
            in: 0...60,
            .decibels,
            "How far active speech lies under the ceiling."
        )
        ceiling = c.number(
            "ceiling",
            default: -1,
            in: -60...0,
            .decibels,
            "The limiter's ceiling; 0 dB is full scale."
        )
        limiting = c.number(
            "limiting",
            default: 20,
            in: 0...60,
            .decibels,
            "How far above the ceiling the highest peak may go."
        )
        lookAhead = c.time(
            "lookAhead",
            default: .time(MediaTime(5, 1000)),
            "The limiter's look-ahead."
        )
    }

    func resolve(_ f: inout Formats) {
        guard let format = f[audio] else { return }
        f.set(
            out,
            format,
            duration: f.duration(of: audio),
            delay: f.duration(of: audio),
            bytesPerPacket: f.info(of: audio)?.bytesPerPacket
        )
    }

    mutating func start(_ f: borrowing Formats) {
        stream = ContinuousAudio(audio, out)
        (held, peak, gain, next) = (HeldAudio(), 0, nil, 0)
    }

    mutating func run(_ io: inout IO) throws {
        while let block = stream?.next(&io) {
            peak = max(peak, block.peak)
            try held.append(block)
        }
    }

    mutating func finish(_ io: inout IO) throws {
        guard let format = stream?.format, next < held.count else { return }
        if gain == nil { gain = try foundGain(format, io.environment) }
        let block = try held.block(next).scaled(by: gain ?? 1)
        next += 1
        stream?.emit(block, &io)
        io.more()
    }

    /// The gain as a ratio.
    private func foundGain(_ format: AudioFormat, _ environment: NodeEnvironment) throws -> Float {
        guard peak.isNormal, let plain = try level(nil, format) else { return 1 }
        let target = ceiling - below
        let most = ceiling + limiting - PortableMath.decibels(ofRatio: Double(peak))
        var gain = min(target - plain, most)
        // Without a limiter the level follows the gain; with it, more slowly.
        var reached = plain + gain
        if PortableMath.decibels(ofRatio: Double(peak)) + gain > ceiling {
            var (before, slope) = ((gain: 0.0, reached: plain), 1.0)
            for _ in 0..<12 {
                reached = try level(gain, format) ?? plain
                let step = target - reached
                if step.magnitude < 0.1 || step > 0 && gain >= most { break }
                if gain != before.gain {
                    slope = (reached - before.reached) / (gain - before.gain)
                }
                before = (gain, reached)
                gain = min(gain + step / min(max(slope, 0.1), 1), most)
            }
        }
        if (target - reached).magnitude > 1 {
            let short = Text.decibels(ceiling - reached)
            environment.warn(
                "speech lies \(short) dB under the ceiling, not \(Text.decibels(below)): its peaks are too "
                    + "high above it"
            )
        }
        return Float(PortableMath.ratio(ofDecibels: gain))
    }

    /// The active level after a gain in dB and the limiter, or, for nil, as it came.
    private func level(_ gain: Double?, _ format: AudioFormat) throws -> Double? {
        var meter = SpeechLevel(sampleRate: Double(format.sampleRate))
        let reach = format.index(of: lookAhead.resolved(sampleRate: format.sampleRate))
        var limiter = Limiter(
            ceiling: Float(PortableMath.ratio(ofDecibels: ceiling)),
            reach: max(1, Int(min(reach, Int64(AudioLimit.reachLimit)))),
            channels: format.channels
        )
        let factor = gain.map { Float(PortableMath.ratio(ofDecibels: $0)) } ?? 1
        for index in 0..<held.count {
            var block = try held.block(index)
            if gain != nil {
                let loud = block.scaled(by: factor)
                var limited = Writable<Float>(uninitialized: loud.samples.count)
                loud.samples.withSpan { source in
                    limited.withMutableSpan { limiter.process(source, into: &$0) }
                }
                block = AudioBlock(format: format, samples: limited)
            }
            block.averaged().samples.withSpan { meter.measure($0) }
        }
        return meter.reading?.activeLevel
    }
}

extension AudioBlock {
    /// The average of the channels; a block of one channel as it is.
    func averaged() -> AudioBlock {
        if format.channels == 1 { return self }
        var sum = Writable<Float>(repeating: 0, count: frameCount)
        samples.withSpan { source in
            sum.withMutableSpan { target in
                for channel in 0..<format.channels {
                    for index in 0..<frameCount {
                        target[index] +=
                            source[channel * frameCount + index] / Float(format.channels)
                    }
                }
            }
        }
        return AudioBlock(
            format: AudioFormat(sampleRate: format.sampleRate, channels: 1),
            samples: sum
        )
    }
}

/// Numbers in messages.
enum Text {
    /// Decibels with one decimal.
    static func decibels(_ value: Double) -> String {
        let tenths = Int((value.magnitude * 10).rounded())
        return "\(value < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}
