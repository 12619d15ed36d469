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
    private var whole: WholeAudio?
    private var meter = SpeechLevel(sampleRate: 1)

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

    func resolve(_ f: inout Formats) { f.set(out, asWholeOf: audio) }

    mutating func start(_ f: borrowing Formats) {
        whole = WholeAudio(audio, out)
        meter = SpeechLevel(sampleRate: Double(f[audio]?.sampleRate ?? 1))
    }

    mutating func run(_ io: inout IO) throws {
        while let block = try whole?.take(&io) {
            block.averaged().samples.withSpan { meter.measure($0) }
        }
    }

    mutating func finish(_ io: inout IO) throws {
        guard var whole, let format = whole.format else { return }
        let environment = io.environment
        try whole.emitNext(&io) { try foundGain(format, environment) }
        self.whole = whole
    }

    /// A gain that was tried, in dB, and the level of speech that the limiter leaves of it.
    private struct Trial {
        let gain: Double
        let level: Double
    }

    /// The gain as a ratio.
    private func foundGain(_ format: AudioFormat, _ environment: NodeEnvironment) throws -> Float {
        let peak = whole?.peak ?? 0
        guard peak.isNormal, let plain = meter.reading?.activeLevel else { return 1 }
        let target = ceiling - below
        let highest = PortableMath.decibels(ofRatio: Double(peak))
        let most = ceiling + limiting - highest
        var best = Trial(gain: min(target - plain, most), level: min(target, plain + most))
        // Without a limiter the level follows the gain; with it, more slowly.
        if highest + best.gain > ceiling {
            best = try search(from: best.gain, to: target, most, format, environment.executor)
        }
        if (target - best.level).magnitude > 1 {
            let short = Text.decibels(ceiling - best.level)
            environment.warn(
                "speech lies \(short) dB under the ceiling, not \(Text.decibels(below)): its peaks are too "
                    + "high above it"
            )
        }
        return Float(PortableMath.ratio(ofDecibels: best.gain))
    }

    /// Looks for the gain, two at a time.
    private func search(
        from first: Double,
        to target: Double,
        _ most: Double,
        _ format: AudioFormat,
        _ executor: any Executor
    ) throws -> Trial {
        // The level rises at most as fast as the gain, so the first is too low, if anything.
        var trials = try tried([first, min(first + 4, most)], format, executor)
        for _ in 0..<6 {
            trials.sort { ($0.level - target).magnitude < ($1.level - target).magnitude }
            let (best, other) = (trials[0], trials[1])
            let isEnough = (best.level - target).magnitude < 0.2
            if isEnough || best.gain >= most && best.level < target { break }
            let rise =
                best.gain == other.gain
                ? 1 : (best.level - other.level) / (best.gain - other.gain)
            let gain = best.gain + (target - best.level) / min(max(rise, 0.1), 1)
            // Between two that are as near as this the curve is straight to a tenth of a dB.
            let isBetween = (best.level - target) * (other.level - target) < 0
            if isBetween, (best.gain - other.gain).magnitude <= 4 {
                return Trial(gain: gain, level: target)
            }
            trials += try tried([min(gain, most), min(gain + 0.5, most)], format, executor)
        }
        return trials[0]
    }

    /// The levels that gains in dB lead to behind the limiter, measured at the same time.
    private func tried(_ gains: [Double], _ format: AudioFormat, _ executor: any Executor) throws
        -> [Trial]
    {
        let results = Locked([Int: Result<Double, any Error>]())
        executor.run(parts: gains.count) { part in
            let result = Result { try level(gains[part], format) }
            results.withLock { $0[part] = result }
        }
        return try results.withLock { results in
            try gains.indices.compactMap { part in
                try results[part].map { Trial(gain: gains[part], level: try $0.get()) }
            }
        }
    }

    private func level(_ gain: Double, _ format: AudioFormat) throws -> Double {
        var meter = SpeechLevel(sampleRate: Double(format.sampleRate))
        let reach = format.index(of: lookAhead.resolved(sampleRate: format.sampleRate))
        var limiter = Limiter(
            ceiling: Float(PortableMath.ratio(ofDecibels: ceiling)),
            reach: max(1, Int(min(reach, Int64(AudioLimit.reachLimit)))),
            channels: format.channels
        )
        let factor = Float(PortableMath.ratio(ofDecibels: gain))
        guard let held = whole?.held else { return -200 }
        for index in 0..<held.count {
            let loud = try held.block(index).scaled(by: factor)
            var limited = Writable<Float>(uninitialized: loud.samples.count)
            loud.samples.withSpan { source in
                limited.withMutableSpan { limiter.process(source, into: &$0) }
            }
            AudioBlock(format: format, samples: limited).averaged().samples
                .withSpan { meter.measure($0) }
        }
        return meter.reading?.activeLevel ?? -200
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
